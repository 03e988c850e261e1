import { assertNever } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";

/**
 * The C syntax tree after macro expansion. Typedef ambiguities are settled: a name in type position is a `typedefName`,
 * `(T)-y` is a cast. No types are computed yet. Ranges refer to the user's files.
 */
export type TranslationUnit = { readonly items: readonly ExternalItem[] };

export type ExternalItem = FunctionDefinition | Declaration | StaticAssert;

export type FunctionDefinition = {
  readonly kind: "functionDefinition";
  readonly specifiers: Specifiers;
  /** Its outermost named part is a `function` declarator. */
  readonly declarator: Declarator;
  /** K&R parameter declarations between the parentheses and the body. */
  readonly parameterDeclarations: readonly Declaration[];
  readonly body: BlockStatement;
  readonly range: SourceRange;
};

export type Declaration = {
  readonly kind: "declaration";
  readonly specifiers: Specifiers;
  readonly declarators: readonly InitDeclarator[];
  readonly range: SourceRange;
};

export type InitDeclarator = {
  readonly declarator: Declarator;
  readonly initializer: Initializer | null;
  /** The bit width of a bit-field (fields only; an anonymous one has a nameless declarator). */
  readonly bitWidth: Expr | null;
  readonly range: SourceRange;
};

export type StaticAssert = { readonly kind: "staticAssert"; readonly condition: Expr; readonly range: SourceRange };

export type StorageClass = "typedef" | "extern" | "static" | "auto" | "register";

/** They belong to a declared object, or to a pointer: `*const`. */
export type Qualifiers = { readonly isConst: boolean; readonly isVolatile: boolean };

/** For `_Generic`, a qualified type is another type. */
export function hasQualifier({ isConst, isVolatile }: Qualifiers): boolean {
  return isConst || isVolatile;
}

export type Specifiers = Qualifiers & {
  readonly storage: StorageClass | null;
  readonly inline: boolean;
  /** `_Thread_local`: named so that lowering can reject them with a place. */
  readonly unsupported: readonly { readonly word: string; readonly range: SourceRange }[];
  readonly type: TypeSpecifier;
  readonly attributes: readonly Attribute[];
  readonly range: SourceRange;
};

/** `__attribute__((aligned(8)))`: name without underscores around it, arguments as expressions where they parse. */
export type Attribute = { readonly name: string; readonly arguments: readonly Expr[]; readonly range: SourceRange };

export type TypeSpecifier =
  /** Sorted words, e.g. `["long", "long", "unsigned"]`; `[]` is implicit int. Includes `_Bool`, `float`, `void`, `__int128`, `_Complex`. */
  | { readonly kind: "basic"; readonly words: readonly string[]; readonly range: SourceRange }
  | { readonly kind: "typedefName"; readonly name: string; readonly range: SourceRange }
  | {
      readonly kind: "struct";
      readonly union: boolean;
      readonly tag: string | null;
      /** null if the struct is only named. A declaration without declarators is an anonymous member. */
      readonly fields: readonly Declaration[] | null;
      readonly attributes: readonly Attribute[];
      readonly range: SourceRange;
    }
  | {
      readonly kind: "enum";
      readonly tag: string | null;
      readonly enumerators: readonly Enumerator[] | null;
      readonly range: SourceRange;
    }
  | { readonly kind: "typeof"; readonly operand: Expr | TypeName; readonly range: SourceRange };

export type Enumerator = { readonly name: string; readonly value: Expr | null; readonly range: SourceRange };

/** Nested as in C, from the inside out: `int *a[3]` is pointer{ of: array{ of: name a } }. */
export type Declarator =
  | { readonly kind: "name"; readonly name: string | null; readonly range: SourceRange }
  | ({ readonly kind: "pointer"; readonly of: Declarator; readonly range: SourceRange } & Qualifiers)
  | { readonly kind: "array"; readonly of: Declarator; readonly length: Expr | null; readonly range: SourceRange }
  | {
      readonly kind: "function";
      readonly of: Declarator;
      readonly parameters: readonly ParameterDeclaration[];
      readonly variadic: boolean;
      /** `f()`: the parameters are unspecified. */
      readonly unprototyped: boolean;
      /** `f(a, b)` of a K&R definition. */
      readonly identifiers: readonly string[];
      readonly range: SourceRange;
    };

/** `(void)` gives no parameters. */
export type ParameterDeclaration = {
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly range: SourceRange;
};

export type TypeName = {
  readonly kind: "typeName";
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly range: SourceRange;
};

export type Initializer =
  | { readonly kind: "expression"; readonly value: Expr; readonly range: SourceRange }
  | { readonly kind: "list"; readonly items: readonly InitializerItem[]; readonly range: SourceRange };

export type InitializerItem = {
  readonly designators: readonly Designator[];
  readonly value: Initializer;
};

export type Designator =
  | { readonly kind: "field"; readonly name: string; readonly range: SourceRange }
  /** `[2]`, or GNU `[2 ... 5]`. */
  | { readonly kind: "index"; readonly from: Expr; readonly to: Expr | null; readonly range: SourceRange };

export type BlockStatement = {
  readonly kind: "block";
  readonly items: readonly BlockItem[];
  readonly range: SourceRange;
};

/** A nested function definition is reported by the parser as unsupported. */
export type BlockItem = Statement | Declaration | StaticAssert;

export type Statement =
  | BlockStatement
  | { readonly kind: "expressionStatement"; readonly expression: Expr; readonly range: SourceRange }
  | { readonly kind: "empty"; readonly range: SourceRange }
  | {
      readonly kind: "if";
      readonly condition: Expr;
      readonly then: Statement;
      readonly else: Statement | null;
      readonly range: SourceRange;
    }
  | {
      readonly kind: "while" | "doWhile";
      readonly condition: Expr;
      readonly body: Statement;
      readonly stated?: readonly StatedCondition[];
      readonly range: SourceRange;
    }
  | {
      readonly kind: "for";
      readonly init: Declaration | Expr | null;
      readonly condition: Expr | null;
      readonly update: Expr | null;
      readonly body: Statement;
      readonly stated?: readonly StatedCondition[];
      readonly range: SourceRange;
    }
  | { readonly kind: "switch"; readonly value: Expr; readonly body: Statement; readonly range: SourceRange }
  /** `case 1:` or GNU `case 1 ... 5:`; labels may stand anywhere below the switch, also inside nested blocks. */
  | {
      readonly kind: "case";
      readonly from: Expr;
      readonly to: Expr | null;
      readonly body: Statement;
      readonly range: SourceRange;
    }
  | { readonly kind: "default"; readonly body: Statement; readonly range: SourceRange }
  | { readonly kind: "label"; readonly name: string; readonly body: Statement; readonly range: SourceRange }
  | { readonly kind: "goto"; readonly label: string; readonly range: SourceRange }
  /** GNU `goto *p`. */
  | { readonly kind: "computedGoto"; readonly range: SourceRange }
  | { readonly kind: "break"; readonly range: SourceRange }
  | { readonly kind: "continue"; readonly range: SourceRange }
  | { readonly kind: "return"; readonly value: Expr | null; readonly range: SourceRange }
  | { readonly kind: "asm"; readonly range: SourceRange }
  /** Inserted, not in the source: evaluates a watched condition here. */
  | { readonly kind: "watch"; readonly condition: Expr; readonly range: SourceRange }
  | { readonly kind: "stated"; readonly stated: readonly StatedCondition[]; readonly range: SourceRange }
  | StatementChoice;

/**
 * Inserted, not in the source: changed versions of a statement. The run executes the one that the register of the site
 * names, counted from 1, and for 0 the original.
 */
export type StatementChoice = {
  readonly kind: "choice";
  readonly site: number;
  readonly alternatives: readonly Statement[];
  readonly otherwise: Statement;
  readonly range: SourceRange;
};

/** Inserted, not in the source: a condition that the user states to hold; `number` is its index in the list of all. */
export type StatedCondition = { readonly number: number; readonly condition: Expr };

export type UnaryOperator = "-" | "+" | "~" | "!" | "*" | "&";
export type BinaryOperatorText =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "<<"
  | ">>"
  | "&"
  | "|"
  | "^"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "&&"
  | "||";

/** Parentheses are dropped; `range` includes them. */
export type Expr =
  | { readonly kind: "identifier"; readonly name: string; readonly range: SourceRange }
  /** `text` as written, with its suffix: `0x1Ful`, `1e3f`. */
  | { readonly kind: "number"; readonly text: string; readonly range: SourceRange }
  /** The value of the character constant with prefix `""`, `L`, `u`, `U`; several characters pack as gcc does. */
  | { readonly kind: "character"; readonly value: number; readonly prefix: string; readonly range: SourceRange }
  /** Adjacent literals are joined, escapes decoded; code units without the terminating zero. */
  | { readonly kind: "string"; readonly units: readonly number[]; readonly prefix: string; readonly range: SourceRange }
  | { readonly kind: "unary"; readonly operator: UnaryOperator; readonly operand: Expr; readonly range: SourceRange }
  | {
      readonly kind: "increment";
      readonly operator: "++" | "--";
      readonly prefix: boolean;
      readonly operand: Expr;
      readonly range: SourceRange;
    }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperatorText;
      readonly left: Expr;
      readonly right: Expr;
      readonly range: SourceRange;
    }
  /** `operator` is null for plain `=`. */
  | {
      readonly kind: "assignment";
      readonly operator: Exclude<BinaryOperatorText, "&&" | "||" | "==" | "!=" | "<" | "<=" | ">" | ">="> | null;
      readonly left: Expr;
      readonly right: Expr;
      readonly range: SourceRange;
    }
  /** `then` is null for GNU `a ?: b`. */
  | {
      readonly kind: "conditional";
      readonly condition: Expr;
      readonly then: Expr | null;
      readonly else: Expr;
      readonly range: SourceRange;
    }
  | { readonly kind: "comma"; readonly left: Expr; readonly right: Expr; readonly range: SourceRange }
  | { readonly kind: "cast"; readonly type: TypeName; readonly operand: Expr; readonly range: SourceRange }
  | {
      readonly kind: "compoundLiteral";
      readonly type: TypeName;
      readonly initializer: Initializer;
      readonly range: SourceRange;
    }
  | { readonly kind: "subscript"; readonly array: Expr; readonly index: Expr; readonly range: SourceRange }
  | {
      readonly kind: "member";
      readonly object: Expr;
      readonly field: string;
      readonly arrow: boolean;
      readonly range: SourceRange;
    }
  | { readonly kind: "call"; readonly callee: Expr; readonly arguments: readonly Expr[]; readonly range: SourceRange }
  | { readonly kind: "sizeofExpr"; readonly operand: Expr; readonly range: SourceRange }
  | { readonly kind: "sizeofType"; readonly operand: TypeName; readonly range: SourceRange }
  | { readonly kind: "alignof"; readonly operand: TypeName; readonly range: SourceRange }
  | {
      readonly kind: "offsetof";
      readonly type: TypeName;
      readonly path: readonly Designator[];
      readonly range: SourceRange;
    }
  | { readonly kind: "vaArg"; readonly list: Expr; readonly type: TypeName; readonly range: SourceRange }
  | {
      readonly kind: "generic";
      readonly control: Expr;
      readonly associations: readonly { readonly type: TypeName | null; readonly value: Expr }[];
      readonly range: SourceRange;
    }
  | { readonly kind: "statementExpression"; readonly body: BlockStatement; readonly range: SourceRange }
  /** GNU `&&label`. */
  | { readonly kind: "labelAddress"; readonly label: string; readonly range: SourceRange }
  /** Inserted, not in the source: changed versions of a condition, or of an expression whose value is discarded. */
  | {
      readonly kind: "choice";
      readonly site: number;
      readonly alternatives: readonly Expr[];
      readonly otherwise: Expr;
      readonly range: SourceRange;
    };

/** The direct subexpressions in source order, without the operand of `sizeof` and without statements. */
export function partsOf(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case "identifier":
    case "number":
    case "character":
    case "string":
    case "sizeofType":
    case "sizeofExpr":
    case "alignof":
    case "labelAddress":
    case "statementExpression":
      return [];
    case "unary":
    case "increment":
    case "cast":
      return [e.operand];
    case "binary":
    case "comma":
    case "assignment":
      return [e.left, e.right];
    case "conditional":
      return e.then === null ? [e.condition, e.else] : [e.condition, e.then, e.else];
    case "compoundLiteral":
      return initializerParts(e.initializer);
    case "subscript":
      return [e.array, e.index];
    case "member":
      return [e.object];
    case "call":
      return [e.callee, ...e.arguments];
    case "offsetof":
      return e.path.flatMap((step) => (step.kind === "index" ? [step.from] : []));
    case "vaArg":
      return [e.list];
    case "generic":
      return e.associations.map(({ value }) => value);
    case "choice":
      return [e.otherwise, ...e.alternatives];
    default:
      return assertNever(e, "expression");
  }
}

export function initializerParts(initializer: Initializer): readonly Expr[] {
  if (initializer.kind === "expression") return [initializer.value];
  return initializer.items.flatMap(({ value }) => initializerParts(value));
}

export function declaratorParts(declarator: Declarator): readonly Expr[] {
  const parts: Expr[] = [];
  for (let at = declarator; at.kind !== "name"; at = at.of) {
    if (at.kind === "array" && at.length !== null) parts.push(at.length);
  }
  return parts;
}
