import { nth } from "../../base/checked.ts";
import type { EntryExpr } from "../../concolic/expr.ts";
import type { Declared, Subject, Summary } from "../../concolic/summary.ts";
import { type LanguageName, languages } from "../../ir/language.ts";
import { isObject, type Recorded } from "../../js/recorder/readLog.ts";
import { type Concrete, unknownValue } from "../../js/recorder/valueRules.ts";

/** The kinds of a term's values in all recorded calls of one function. */
export type Kind = "int" | "number" | "bool" | "string" | "ref" | "mixed" | "unseen";

export type Kinds = {
  readonly language: LanguageName;
  of(expr: EntryExpr): Kind;
  /** The observed kinds for people: `int`, `string`, `Array | null`. */
  describe(expr: EntryExpr): string;
};

/** -0 counts as 0: contracts are about safe integers, and say so. */
export function kindOf(value: Recorded): Kind {
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "number";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (value === null || value === undefined || isObject(value)) return "ref";
  return typeof value === "object" && value.kind === "text" ? "string" : "mixed";
}

function join(a: Kind | undefined, b: Kind): Kind {
  if (a === undefined || a === b) return b;
  return (a === "int" && b === "number") || (a === "number" && b === "int") ? "number" : "mixed";
}

type Declaring = Pick<Subject, "language" | "declared">;
const undeclared: Declaring = { language: "typescript", declared: new Map() };

export function kindsOf(summaries: readonly Summary[], { language, declared }: Declaring = undeclared): Kinds {
  const seen = new Map<string, Kind>();
  const names = new Map<string, Set<string>>();
  const declare = (key: string, { kind, name }: Declared): void => {
    seen.set(key, kind);
    names.set(key, new Set([name]));
  };
  const note = (key: string, value: Concrete, type?: Declared): void => {
    if (type !== undefined) return declare(key, type);
    if (value === unknownValue) return;
    seen.set(key, join(seen.get(key), kindOf(value)));
    names.set(key, (names.get(key) ?? new Set()).add(nameOf(value)));
  };
  for (const summary of summaries) {
    for (const [key, { value, type }] of summary.entry) note(key, value, type);
    for (const [name, values] of summary.rounds) for (const value of values) note(`$${name}`, value);
    if (summary.outcome.kind === "return") note("result", summary.outcome.concrete);
  }

  for (const [key, type] of declared) declare(key, type);

  function of(expr: EntryExpr): Kind {
    switch (expr.kind) {
      case "const":
        return kindOf(expr.value as Recorded);
      case "unary":
        if (expr.operator === "!") return "bool";
        if (expr.operator === "typeof") return "string";
        if (expr.operator === "-" || expr.operator === "+") return of(expr.operand);
        return expr.operator === "*" || expr.operator === "&" ? (seen.get(expr.key) ?? "ref") : "int";
      case "binary":
        return kindOfBinary(expr.operator, of(expr.left), of(expr.right));
      case "this":
      case "new":
        return "ref";
      default:
        if (!seen.has(expr.key) && isLength(expr, language)) return "int";
        return seen.get(expr.key) ?? "unseen";
    }
  }

  return {
    language,
    of,
    describe: (expr) => [...(names.get(expr.key) ?? [])].sort().join(" | "),
  };
}

/** In JavaScript a length is not negative; in C it is an ordinary name. */
export function isLength(expr: EntryExpr, language: LanguageName): boolean {
  return (
    languages[language].contracts.hasLengths &&
    expr.kind === "field" &&
    (expr.name === "length" || expr.name === "size")
  );
}

function kindOfBinary(operator: string, left: Kind, right: Kind): Kind {
  if (/^([<>]=?|[!=]==?|in|instanceof)$/.test(operator)) return "bool";
  if (left === "int" && right === "int" && /^([-+*%|&^]|<<|>>|div)$/.test(operator)) return "int";
  if (operator === "+" && (left === "string" || right === "string")) return "string";
  return "number";
}

function nameOf(value: Recorded): string {
  if (value === null) return "null";
  if (isObject(value)) return value.kind === "function" ? "function" : (value.className.split(":")[0] ?? "object");
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "number";
  return typeof value === "object" ? (value.kind === "text" ? "string" : "symbol") : typeof value;
}

/** True if the shown types already imply it: `x != null` for an Array, `typeof x === "string"` for a string. */
export function isSaidByType(expr: EntryExpr, kinds: Kinds): boolean {
  const seen = (place: EntryExpr): readonly string[] => (isShown(place) ? typesOf(place, kinds) : []);
  const { negated, inner } = strip(expr);
  if (inner.kind === "call" && inner.name === "isArray" && !negated) return isAll(seen(nth(inner.args, 0)), ["Array"]);
  if (inner.kind === "binary" && inner.right.kind === "const") {
    const { operator, left, right } = inner;
    if (/^[!=]==?$/.test(operator) && right.value == null) {
      // A number or text is not missing.
      if (operator.startsWith("!") !== negated && ["int", "number", "string", "bool"].includes(kinds.of(left)))
        return true;
      const missing = operator.length === 2 ? ["null", "undefined"] : [String(right.value)];
      return operator.startsWith("!") === negated ? isAll(seen(left), missing) : isNone(seen(left), missing);
    }
    if (/^===?$/.test(operator) && left.kind === "unary" && left.operator === "typeof" && !negated)
      return isAll(seen(left.operand).map(typeofName), [String(right.value)]);
  }
  const missing = ["null", "undefined"];
  if (negated) return isAll(seen(inner), missing);
  return kinds.of(inner) === "ref" && isNone(seen(inner), missing);
}

function strip(expr: EntryExpr): { readonly negated: boolean; readonly inner: EntryExpr } {
  let negated = false;
  let inner = expr;
  for (; inner.kind === "unary" && inner.operator === "!"; inner = inner.operand) negated = !negated;
  return { negated, inner };
}

/** Signatures show the types of parameters, classes those of fields. */
function isShown(place: EntryExpr): boolean {
  return place.kind === "param" || (place.kind === "field" && place.base.kind === "this");
}

function typesOf(place: EntryExpr, kinds: Kinds): readonly string[] {
  const text = kinds.describe(place);
  return text === "" ? [] : text.split(" | ");
}

function typeofName(type: string): string {
  if (type === "int") return "number";
  return ["string", "boolean", "number", "bigint", "symbol", "undefined", "function"].includes(type) ? type : "object";
}

const isAll = (types: readonly string[], wanted: readonly string[]): boolean =>
  types.length > 0 && types.every((type) => wanted.includes(type));

const isNone = (types: readonly string[], unwanted: readonly string[]): boolean =>
  types.length > 0 && !types.some((type) => unwanted.includes(type));
