import { present } from "../../base/checked.ts";
import { constant, type EntryExpr, type Primitive } from "../../concolic/expr.ts";
import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { isLength, type Kinds } from "./kinds.ts";

/**
 * Terms of a function as formulas. Integers are integers; other values have an identity with equality only; any other
 * test on them is an atom named by its term.
 */
export type Translator = { formula(expr: EntryExpr): Term; readonly lengths: () => readonly Term[] };

/** Identities of constants, far from the program's numbers. */
const firstIdentity = 1_000_000_007n;

export function createTranslator(terms: Terms, kinds: Kinds): Translator {
  const identities = new Map<string, bigint>();
  const lengths = new Map<string, Term>();

  function identity(value: Primitive): Term {
    const key = constant(value).key;
    if (!identities.has(key)) identities.set(key, firstIdentity + BigInt(identities.size) * 1_000_003n);
    return terms.int(present(identities.get(key)));
  }

  const name = (prefix: string, expr: EntryExpr): string => `${prefix}:${expr.key.replace(/[|\\]/g, "/")}`;

  function integer(expr: EntryExpr): Term {
    if (expr.kind === "const" && typeof expr.value === "number") return terms.int(BigInt(expr.value));
    if (expr.kind === "unary" && expr.operator === "-") return terms.neg(integer(expr.operand));
    if (expr.kind === "binary" && kinds.of(expr.left) === "int" && kinds.of(expr.right) === "int") {
      if (expr.operator === "+") return terms.add(integer(expr.left), integer(expr.right));
      if (expr.operator === "-") return terms.sub(integer(expr.left), integer(expr.right));
      if (expr.operator === "*") return terms.mul(integer(expr.left), integer(expr.right));
    }
    const variable = terms.variable(name("i", expr), "Int");
    if (isLength(expr, kinds.language)) lengths.set(expr.key, terms.le(terms.int(0n), variable));
    return variable;
  }

  /** Any value but an integer, for equality. */
  function reference(expr: EntryExpr): Term {
    if (expr.kind === "const") return identity(expr.value);
    return terms.variable(name("r", expr), "Int");
  }

  function equality(left: EntryExpr, right: EntryExpr): Term {
    const [a, b] = [kinds.of(left), kinds.of(right)];
    if (a === "int" && b === "int") return terms.eq(integer(left), integer(right));
    if (a === "bool" && b === "bool") return terms.iff(formula(left), formula(right));
    return terms.eq(reference(left), reference(right));
  }

  const missing = (expr: EntryExpr): Term =>
    terms.or(terms.eq(reference(expr), identity(null)), terms.eq(reference(expr), identity(undefined)));

  function comparison(expr: Extract<EntryExpr, { kind: "binary" }>): Term {
    const { operator, left, right } = expr;
    if (operator === "===" || operator === "!==") {
      const equal = equality(left, right);
      return operator === "===" ? equal : terms.not(equal);
    }
    if (operator === "==" || operator === "!=") {
      const other =
        right.kind === "const" && right.value == null
          ? left
          : left.kind === "const" && left.value == null
            ? right
            : null;
      const equal = other === null ? equality(left, right) : missing(other);
      return operator === "==" ? equal : terms.not(equal);
    }
    if (kinds.of(left) === "int" && kinds.of(right) === "int") {
      const [a, b] = [integer(left), integer(right)];
      if (operator === "<") return terms.lt(a, b);
      if (operator === "<=") return terms.le(a, b);
      if (operator === ">") return terms.lt(b, a);
      if (operator === ">=") return terms.le(b, a);
    }
    return terms.variable(name("b", expr), "Bool");
  }

  function formula(expr: EntryExpr): Term {
    if (expr.kind === "const") return terms.bool(Boolean(expr.value));
    if (expr.kind === "unary" && expr.operator === "!") return terms.not(formula(expr.operand));
    if (expr.kind === "binary" && kinds.of(expr) === "bool") return comparison(expr);
    switch (kinds.of(expr)) {
      case "int":
        return terms.not(terms.eq(integer(expr), terms.int(0n)));
      case "ref":
        return terms.not(missing(expr));
      default:
        return terms.variable(name("b", expr), "Bool");
    }
  }

  return { formula, lengths: () => [...lengths.values()] };
}
