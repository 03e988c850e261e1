import { assertNever, Defect } from "../../base/errors.ts";
import type { Binary, BinaryOperator, Comparison, Convert, Expression, Unary } from "../../ir/expression.ts";
import { integerShape } from "../../ir/scalarValue.ts";
import type { FloatType, IntType } from "../../ir/type.ts";
import { type FunctionContext, newSite, temporary } from "./context.ts";
import { type EmittedOperand, emitExpression, emitOperand } from "./emitExpression.ts";

const wideNames: Record<BinaryOperator, string> = {
  "+": "addWide",
  "-": "subtractWide",
  "*": "multiplyWide",
  "/": "divideWide",
  "%": "remainderWide",
  "&": "andWide",
  "|": "orWide",
  "^": "xorWide",
  "<<": "shiftLeftWide",
  ">>": "shiftRightWide",
};

export function emitBinary(context: FunctionContext, expression: Binary): string {
  const { type } = expression;
  if (type.kind === "float") {
    const text = `(${emitExpression(context, expression.left)} ${expression.operator} ${emitExpression(context, expression.right)})`;
    return type.bits === 32 ? `Math.fround${text}` : text;
  }
  if (type.kind !== "int") throw new Defect(`arithmetic on ${type.kind}`);
  return type.bits > 32 ? emitWide(context, expression, type) : emitSmall(context, expression, type);
}

export function emitUnary(context: FunctionContext, expression: Unary): string {
  const { type, operator } = expression;
  if (type.kind === "float") return `(-${emitExpression(context, expression.operand)})`;
  if (type.kind !== "int") throw new Defect(`arithmetic on ${type.kind}`);
  if (operator === "complement") {
    const operand = emitExpression(context, expression.operand);
    if (type.bits > 32) return `complementWide(${operand}, ${type.bits}, ${type.signed})`;
    return wrapSmall(type, `~${operand}`);
  }
  if (type.bits > 32) {
    const site = overflowSite(context, expression, type);
    return `negateWide(${emitExpression(context, expression.operand)}, ${type.bits}, ${type.signed}, ${site})`;
  }
  const { first, again } = emitOperand(context, expression.operand);
  if (!trapsOverflow(context, type)) return wrapSmall(type, `(0 - ${first})`);
  return checked(context, type, `0 - ${first}`, () => `negationOverflow(${again}, ${newSite(context, expression)})`);
}

/** -1 if overflow wraps: unsigned types, and all types with `--ub wrap`. */
function overflowSite(context: FunctionContext, expression: Expression, type: IntType): number {
  return trapsOverflow(context, type) ? newSite(context, expression) : -1;
}

function trapsOverflow(context: FunctionContext, type: IntType): boolean {
  return type.signed && context.mode.undefinedBehaviour === "stop";
}

function emitWide(context: FunctionContext, expression: Binary, type: IntType): string {
  const left = emitExpression(context, expression.left);
  const right = emitExpression(context, expression.right);
  const shape = `${type.bits}, ${type.signed}`;
  const name = wideNames[expression.operator];
  switch (expression.operator) {
    case "+":
    case "-":
    case "*":
      return `${name}(${left}, ${right}, ${shape}, ${overflowSite(context, expression, type)})`;
    case "/":
    case "%":
    case "<<": {
      const site = newSite(context, expression);
      return `${name}(${left}, ${right}, ${shape}, ${site}, ${trapsOverflow(context, type) ? site : -1})`;
    }
    case ">>":
      return `${name}(${left}, ${right}, ${type.bits}, ${newSite(context, expression)})`;
    case "&":
    case "|":
    case "^":
      return `${name}(${left}, ${right})`;
    default:
      return assertNever(expression.operator, "operator");
  }
}

function emitSmall(context: FunctionContext, expression: Binary, type: IntType): string {
  const { operator } = expression;
  switch (operator) {
    case "&":
    case "|":
    case "^": {
      const text = `(${emitExpression(context, expression.left)} ${operator} ${emitExpression(context, expression.right)})`;
      // Signed operands in range give a signed result in range.
      return type.signed ? text : `(${text} >>> 0)`;
    }
    case "+":
    case "-":
    case "*":
      return emitSum(context, expression, type);
    case "/":
    case "%":
      return emitQuotient(context, expression, type);
    case "<<":
    case ">>":
      return emitShift(context, expression, type);
    default:
      return assertNever(operator, "operator");
  }
}

function emitSum(context: FunctionContext, expression: Binary, type: IntType): string {
  const { operator } = expression;
  const left = emitOperand(context, expression.left);
  const right = emitOperand(context, expression.right);
  if (!trapsOverflow(context, type)) {
    if (operator === "*") return wrapSmall(type, `Math.imul(${left.first}, ${right.first})`);
    return wrapSmall(type, `(${left.first} ${operator} ${right.first})`);
  }
  const failure = () =>
    `signedOverflow(${JSON.stringify(operator)}, ${left.again}, ${right.again}, ${newSite(context, expression)})`;
  return checked(context, type, `${left.first} ${operator} ${right.first}`, failure);
}

/** The exact result if it is in the range of the signed type, else `failure`. `| 0` also turns -0 into 0. */
function checked(context: FunctionContext, type: IntType, exact: string, failure: () => string): string {
  const result = temporary(context);
  if (type.bits === 32) return `((${result} = ${exact}) === (${result} | 0) ? ${result} | 0 : ${failure()})`;
  const limit = 2 ** (type.bits - 1);
  return `((${result} = ${exact}) >= ${-limit} && ${result} < ${limit} ? ${result} | 0 : ${failure()})`;
}

/** Wraps a number modulo 2^bits into the type's range; `text` is a primary or unary expression. */
export function wrapSmall(type: { readonly bits: number; readonly signed: boolean }, text: string): string {
  if (type.bits === 32) return type.signed ? `(${text} | 0)` : `(${text} >>> 0)`;
  const excess = 32 - type.bits;
  return type.signed ? `(${text} << ${excess} >> ${excess})` : `(${text} & ${2 ** type.bits - 1})`;
}

function emitQuotient(context: FunctionContext, expression: Binary, type: IntType): string {
  const { operator } = expression;
  const left = emitOperand(context, expression.left);
  const right = emitOperand(context, expression.right);
  const narrow = (text: string) => (type.signed ? `(${text} | 0)` : `(${text} >>> 0)`);
  const constant = constantValue(expression.right);
  const result = (a: string, b: string) => narrow(`${a} ${operator} ${b}`);
  if (constant !== null && constant !== 0n && constant !== -1n) return result(left.first, right.first);
  const zero = `divisionByZero(${JSON.stringify(operator)}, ${left.again}, ${newSite(context, expression)})`;
  // The left operand is evaluated first, then the right one is tested.
  const start = left.first === left.again ? "" : `${left.first}, `;
  if (!type.signed) return `(${start}${right.first} === 0 ? ${zero} : ${result(left.again, right.again)})`;
  const least = -(2 ** (type.bits - 1));
  const overflow = trapsOverflow(context, type)
    ? `signedOverflow(${JSON.stringify(operator)}, ${left.again}, -1, ${newSite(context, expression)})`
    : operator === "/"
      ? `${least}`
      : "0";
  const tail = `${right.again} === -1 && ${left.again} === ${least} ? ${overflow} : ${result(left.again, right.again)}`;
  return `(${start}${right.first} === 0 ? ${zero} : ${tail})`;
}

/** C11 6.5.7; left shifts of signed values as `gcc -fsanitize=shift` checks them for C11. */
function emitShift(context: FunctionContext, expression: Binary, type: IntType): string {
  const { operator } = expression;
  const left = emitOperand(context, expression.left);
  const right = emitOperand(context, expression.right);
  const constant = constantValue(expression.right);
  const knownCount = constant !== null && constant >= 0n && constant < BigInt(type.bits);
  const bad = () =>
    `badShift(${JSON.stringify(operator)}, ${left.again}, ${right.again}, ${newSite(context, expression)})`;
  const start = left.first === left.again ? "" : `${left.first}, `;
  const guard = (ok: EmittedOperand | null, conditions: readonly string[], result: string) => {
    const tests = [...(ok === null ? [] : [`${ok.first} >= 0`, `${ok.again} < ${type.bits}`]), ...conditions];
    return tests.length === 0 ? `(${start}${result})` : `(${start}${tests.join(" && ")} ? ${result} : ${bad()})`;
  };
  const count = knownCount ? null : right;
  if (operator === ">>") {
    return guard(count, [], type.signed ? `${left.again} >> ${right.again}` : `${left.again} >>> ${right.again}`);
  }
  if (!trapsOverflow(context, type)) {
    return guard(count, [], wrapSmall(type, `(${left.again} << ${right.again})`));
  }
  const limit = 2 ** (type.bits - 1);
  // A non-negative value that fits has none of the bits that the shift would move into or past the sign.
  const fits = `${left.again} < ${knownCount ? limit / 2 ** Number(constant) : `${limit} / (1 << ${right.again} >>> 0)`}`;
  return guard(count, [`${left.again} >= 0`, fits], `${left.again} << ${right.again}`);
}

function constantValue(expression: Expression): bigint | null {
  return expression.kind === "constant" && expression.type.kind === "int" ? (expression.value as bigint) : null;
}

/** Emits a boolean. Canonical values compare exactly; floats compare as in C; pointers only within one object. */
export function emitComparison(context: FunctionContext, expression: Comparison): string {
  const left = emitExpression(context, expression.left);
  const right = emitExpression(context, expression.right);
  const { operator } = expression;
  if (operator === "==") return `(${left} === ${right})`;
  if (operator === "!=") return `(${left} !== ${right})`;
  if (expression.left.type.kind === "pointer") {
    return `(comparePointers(${left}, ${right}, ${newSite(context, expression)}) ${operator} 0)`;
  }
  return `(${left} ${operator} ${right})`;
}

export function emitConvert(context: FunctionContext, expression: Convert): string {
  const { type, operand } = expression;
  switch (type.kind) {
    case "bool":
      if (operand.kind === "comparison") return `(${emitComparison(context, operand)} ? 1 : 0)`;
      return operand.type.kind === "bool"
        ? emitExpression(context, operand)
        : `(${emitExpression(context, operand)} !== 0 ? 1 : 0)`;
    case "int":
      return toInteger(context, expression, type);
    case "float":
      return toFloat(context, operand, type);
    case "pointer":
      if (operand.type.kind === "pointer") return emitExpression(context, operand);
      if (operand.kind === "constant" && operand.value === 0n) return "0";
      return `integerToPointer(M, ${emitExpression(context, operand)}, ${newSite(context, expression)})`;
    default:
      return assertNever(type, "type");
  }
}

function toInteger(context: FunctionContext, expression: Convert, type: IntType): string {
  const { operand } = expression;
  const text = emitExpression(context, operand);
  switch (operand.type.kind) {
    case "int":
    case "bool":
      return integerToInteger(text, integerShape(operand.type), type);
    case "pointer":
      // With 64 bits the pointer itself, a number within the signed type; with 32 bits an unsigned address.
      return context.program.pointerBytes === 8
        ? integerToInteger(text, { bits: 64, signed: true }, type)
        : integerToInteger(`pointerToInteger(M, ${text})`, { bits: 32, signed: false }, type);
    case "float":
      return `floatToInt(${text}, ${type.bits}, ${type.signed}, ${newSite(context, expression)})`;
    default:
      return assertNever(operand.type, "type");
  }
}

type Shape = { readonly bits: number; readonly signed: boolean };

function integerToInteger(text: string, from: Shape, to: Shape): string {
  if (contains(to, from)) return text;
  if (to.bits > 32) return `toWide(${text}, ${to.bits}, ${to.signed})`;
  if (from.bits <= 32) return wrapSmall(to, text);
  return to.bits === 32 && to.signed ? `lowWord(${text})` : wrapSmall(to, `lowWord(${text})`);
}

/** True if every value of `inner` is a value of `outer`. */
function contains(outer: Shape, inner: Shape): boolean {
  if (outer.signed === inner.signed) return outer.bits >= inner.bits;
  return outer.signed && outer.bits > inner.bits;
}

function toFloat(context: FunctionContext, operand: Expression, type: FloatType): string {
  const text = emitExpression(context, operand);
  switch (operand.type.kind) {
    case "float":
      return type.bits === 32 && operand.type.bits === 64 ? `Math.fround(${text})` : text;
    case "int":
    case "bool":
      if (integerShape(operand.type).bits > 32) return `${type.bits === 32 ? "wideToFloat" : "wideToDouble"}(${text})`;
      return type.bits === 32 ? `Math.fround(${text})` : text;
    case "pointer":
      throw new Defect("a pointer cannot become a float");
    default:
      return assertNever(operand.type, "type");
  }
}
