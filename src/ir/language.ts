export type LanguageName = "c" | "typescript";

/** Facts about a source language for the stages after its front end. A third language adds a row to `languages`. */
export type Language = {
  readonly name: LanguageName;
  /** `==` and `!=` of the program model as the language writes them. */
  readonly equality: { readonly "==": string; readonly "!=": string };
  /** `(int)x`, or `int(x)` in a language without casts. */
  readonly hasCasts: boolean;
  /** In contracts. */
  readonly contracts: {
    readonly nothing: string;
    /** Truth values are the numbers 0 and 1. */
    readonly truthIsNumber: boolean;
    /** A property `length` or `size` is never negative. */
    readonly hasLengths: boolean;
    /** Operators of contract terms that are written otherwise. */
    readonly operators: Readonly<Record<string, string>>;
    /** A call in a condition is a question; a conversion, written `(int)`, reads nothing. */
    readonly callsAreQuestions: boolean;
    /** Types stand before names: `int f(int x)`. */
    readonly typesFirst: boolean;
    readonly failure: string;
    readonly evidence: string;
    readonly integers: string;
  };
};

export const languages: Readonly<Record<LanguageName, Language>> = {
  c: {
    name: "c",
    equality: { "==": "==", "!=": "!=" },
    hasCasts: true,
    contracts: {
      nothing: "NULL",
      truthIsNumber: true,
      hasLengths: false,
      operators: { "===": "==", "!==": "!=", div: "/" },
      callsAreQuestions: true,
      typesFirst: true,
      failure: "fails ",
      evidence: "run",
      integers: "integers do not wrap",
    },
  },
  typescript: {
    name: "typescript",
    equality: { "==": "===", "!=": "!==" },
    hasCasts: false,
    contracts: {
      nothing: "null",
      truthIsNumber: false,
      hasLengths: true,
      operators: {},
      callsAreQuestions: false,
      typesFirst: false,
      failure: "throws",
      evidence: "test",
      integers: "integers are safe integers",
    },
  },
};

/** The language of a program; C unless it says otherwise. */
export function languageOf({ language }: { readonly language?: LanguageName }): Language {
  return languages[language ?? "c"];
}
