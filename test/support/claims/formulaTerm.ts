import type { Term } from "../../../src/logic/term.ts";
import type { Terms } from "../../../src/logic/terms.ts";
import type { Formula } from "./formula.ts";

/** Bits that a shift or bitwise operation is computed in: all of those that C's integers have, and some more. */
const width = 128;

/**
 * A printed formula as a term; null where it says something that has no term here (memory, events). `variable` gives the
 * term for a name.
 */
export function formulaTerm(terms: Terms, formula: Formula, variable: (name: string) => Term | null): Term | null {
  return translate(formula);

  function translate(f: Formula): Term | null {
    switch (f.kind) {
      case "number":
        return terms.int(f.value);
      case "truth":
        return terms.bool(f.value);
      case "name":
        return variable(f.name);
      case "member":
      case "cell":
        return null;
      case "cast": {
        const operand = translate(f.operand);
        return operand && terms.wrap(operand, f.bits, f.signed);
      }
      case "unary": {
        const operand = translate(f.operand);
        return operand && unary(f.operator, operand);
      }
      case "binary": {
        const [left, right] = [translate(f.left), translate(f.right)];
        return left && right && binary(f.operator, left, right);
      }
      case "conditional": {
        const [test, yes, no] = [translate(f.condition), translate(f.whenTrue), translate(f.whenFalse)];
        return test && yes && no && terms.ite(test, yes, no);
      }
      case "call": {
        const [left, right] = f.arguments.map(translate);
        if (f.arguments.length !== 2 || !left || !right) return null;
        return f.name === "mod" ? terms.mod(left, right) : f.name === "div" ? terms.div(left, right) : null;
      }
    }
  }

  function unary(operator: string, operand: Term): Term | null {
    if (operator === "!") return operand.sort === "Bool" ? terms.not(operand) : terms.eq(operand, terms.int(0));
    if (operator === "-") return terms.neg(operand);
    return operator === "~" ? terms.sub(terms.neg(operand), terms.int(1)) : null;
  }

  function binary(operator: string, left: Term, right: Term): Term | null {
    switch (operator) {
      case "||":
        return terms.or(left, right);
      case "&&":
        return terms.and(left, right);
      case "==":
        return terms.eq(left, right);
      case "!=":
        return terms.ne(left, right);
      case "<":
        return terms.lt(left, right);
      case ">":
        return terms.gt(left, right);
      case "<=":
        return terms.le(left, right);
      case ">=":
        return terms.ge(left, right);
      case "+":
        return terms.add(left, right);
      case "-":
        return terms.sub(left, right);
      case "*":
        return terms.mul(left, right);
      case "/":
        return terms.truncatingDiv(left, right);
      case "%":
        return terms.truncatingRem(left, right);
      case "&":
        return bits("and", left, right);
      case "|":
        return bits("or", left, right);
      case "^":
        return bits("xor", left, right);
      case "<<":
        return bits("shl", left, right);
      case ">>":
        return bits("ashr", left, right);
      default:
        return null;
    }
  }

  /** Unsigned in the store; in print the sign is C's. */
  function bits(operator: Parameters<Terms["bits"]>[0], left: Term, right: Term): Term {
    return terms.wrap(terms.bits(operator, width, left, right), width, true);
  }
}
