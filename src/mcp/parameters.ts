import { TracefoldError } from "../base/errors.ts";

/** A parameter of a tool, declared once: its JSON schema and its reader. */
export type Parameter<T = unknown> = {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isRequired: boolean;
  /** `undefined`: it was not given. */
  read(given: unknown, name: string): T;
};

export type Parameters = Readonly<Record<string, Parameter>>;
export type Arguments<P extends Parameters> = {
  readonly [Key in keyof P]: P[Key] extends Parameter<infer T> ? T : never;
};

export function readArguments<P extends Parameters>(parameters: P, given: unknown): Arguments<P> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw wrong("arguments", "an object", given);
  const names = Object.keys(parameters);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw callError(`there is no parameter "${unknown}"`, `There are ${names.join(", ")}.`);
  const values = Object.entries(parameters).map(([name, parameter]) => {
    const value = (given as Record<string, unknown>)[name] ?? undefined;
    if (value === undefined && parameter.isRequired) throw callError(`"${name}" is missing`, "Give it.");
    return [name, parameter.read(value, name)];
  });
  return Object.fromEntries(values) as Arguments<P>;
}

export function schemaOf(parameters: Parameters) {
  const required = Object.entries(parameters).flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return {
    type: "object" as const,
    properties: Object.fromEntries(Object.entries(parameters).map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** A call that cannot be understood. */
export function callError(message: string, help: string): TracefoldError {
  return new TracefoldError({ code: "TF105", message, help });
}

function wrong(name: string, wanted: string, given: unknown): TracefoldError {
  const shown = JSON.stringify(given) ?? "nothing";
  return callError(`"${name}" must be ${wanted}, not ${shown.slice(0, 60)}`, "Correct it and call again.");
}

export function word(description: string): Parameter<string | null> {
  return {
    schema: { type: "string", ...described(description) },
    isRequired: false,
    read(given, name) {
      if (given === undefined) return null;
      if (typeof given !== "string") throw wrong(name, "a string", given);
      return given;
    },
  };
}

export function requiredWord(description: string): Parameter<string> {
  const { schema, read } = word(description);
  return { schema, isRequired: true, read: (given, name) => read(given, name) ?? "" };
}

export function words(description: string): Parameter<readonly string[] | null> {
  return {
    schema: { type: "array", items: { type: "string" }, ...described(description) },
    isRequired: false,
    read(given, name) {
      if (given === undefined) return null;
      if (!Array.isArray(given) || given.some((each) => typeof each !== "string"))
        throw wrong(name, "a list of strings", given);
      return given as string[];
    },
  };
}

export function wholeNumber(description: string): Parameter<number | null> {
  return {
    schema: { type: "integer", ...described(description) },
    isRequired: false,
    read(given, name) {
      if (given === undefined) return null;
      if (!Number.isSafeInteger(given) || (given as number) < 0) throw wrong(name, "a whole number", given);
      return given as number;
    },
  };
}

export function truth(description: string): Parameter<boolean> {
  return {
    schema: { type: "boolean", ...described(description) },
    isRequired: false,
    read(given, name) {
      if (given === undefined) return false;
      if (typeof given !== "boolean") throw wrong(name, "true or false", given);
      return given;
    },
  };
}

export function oneOf<const C extends string>(description: string, choices: readonly C[]): Parameter<C | null> {
  return {
    schema: { enum: choices, ...described(description) },
    isRequired: false,
    read(given, name) {
      if (given === undefined) return null;
      if (!choices.includes(given as C)) throw wrong(name, `one of ${choices.join(", ")}`, given);
      return given as C;
    },
  };
}

/** A list of objects with parameters of their own. */
export function objects<P extends Parameters>(
  description: string,
  parameters: P,
): Parameter<readonly Arguments<P>[] | null> {
  return {
    schema: { type: "array", items: schemaOf(parameters), ...described(description) },
    isRequired: false,
    read(given, name) {
      if (given === undefined) return null;
      if (!Array.isArray(given)) throw wrong(name, "a list of objects", given);
      return given.map((each) => readArguments(parameters, each));
    },
  };
}

function described(description: string): { readonly description?: string } {
  return description === "" ? {} : { description };
}
