import { Defect } from "../../base/errors.ts";

type Operands = { readonly [operator: string]: (a: never, b: never) => unknown };

/** Binary operators on any values, as the language defines them. */
const operators: Operands = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => a / b,
  "%": (a: number, b: number) => a % b,
  "**": (a: number, b: number) => a ** b,
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
  "===": (a: unknown, b: unknown) => a === b,
  "!==": (a: unknown, b: unknown) => a !== b,
  // biome-ignore lint/suspicious/noDoubleEquals: the operator itself
  "==": (a: unknown, b: unknown) => a == b,
  // biome-ignore lint/suspicious/noDoubleEquals: the operator itself
  "!=": (a: unknown, b: unknown) => a != b,
  "&": (a: number, b: number) => a & b,
  "|": (a: number, b: number) => a | b,
  "^": (a: number, b: number) => a ^ b,
  "<<": (a: number, b: number) => a << b,
  ">>": (a: number, b: number) => a >> b,
  ">>>": (a: number, b: number) => a >>> b,
  in: (a: string, b: object) => a in b,
  instanceof: (a: unknown, b: new () => unknown) => a instanceof b,
};

export function applyOperator(operator: string, left: unknown, right: unknown): unknown {
  const apply = operators[operator];
  if (apply === undefined) throw new Defect(`unknown operator ${operator}`);
  return apply(left as never, right as never);
}
