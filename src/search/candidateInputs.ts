import { nth } from "../base/checked.ts";
import { assertNever } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { type InputRequest, type InputSource, type InputValue, mulberry32 } from "../interpreter/inputs.ts";
import type { Expression } from "../ir/expression.ts";
import { expressionsWithin, type Operation } from "../ir/operation.ts";
import type { Program, VariableId } from "../ir/program.ts";
import { rangeOfInt } from "../ir/type.ts";
import { greater, lesser } from "../logic/linear.ts";

/**
 * What the inputs of one run are drawn from. One distribution for all inputs of a run finds more than a mixture for each
 * of them: a loop that ends at a tiny number ends early, and bits that are all tiny drive a state machine far.
 */
export type Distribution = (typeof distributions)[number];

export const distributions = ["tiny", "small", "constants", "bits", "full", "mixed"] as const;

export function drawInputs(distribution: Distribution, seed: number, numbers: InterestingNumbers): InputSource {
  const next = generator(seed);
  return (request) => drawValue(distribution, request, next, numbers);
}

/** Wider stretches between two of the program's numbers are no class of values. */
const widest = 256n;

/** All inputs between two of the program's numbers, such as `'0'` and `'9'`: only a run of nothing else gets to the end of a number. */
export function drawBetween(seed: number, numbers: InterestingNumbers): InputSource {
  const next = generator(seed);
  const one = () => numbers.all[Math.floor(next() * numbers.all.length)] ?? 0n;
  const [a, b] = [one(), one()];
  const [low, high] = a < b ? [a, b] : [b, a];
  if (high - low > widest) return drawInputs("mixed", seed, numbers);
  return (request) => {
    const { type, within } = request;
    if (type.kind === "pointer" || type.kind === "float") return drawValue("small", request, next, numbers);
    const [least, most] = within ?? rangeOfInt(type);
    const value = uniform(low, high, next);
    return lesser(greater(value, least), most);
  };
}

function generator(seed: number): () => number {
  return mulberry32(Math.imul(seed, 0x2545f491) ^ 0x5bd1e995);
}

function drawValue(
  distribution: Distribution,
  request: InputRequest,
  next: () => number,
  numbers: InterestingNumbers,
): InputValue {
  const { type, within } = request;
  if (type.kind === "pointer") return 0n;
  if (type.kind === "float") return drawFloat(distribution, type.bits, next);
  const [low, high] = within ?? rangeOfInt(type);
  const clamp = (value: bigint) => (value < low ? low : value > high ? high : value);
  const upTo = (count: number) => BigInt(Math.floor(next() * count));
  switch (distribution) {
    case "tiny":
      return clamp(upTo(4) - (low < 0n ? 1n : 0n));
    case "small":
      return clamp(low < 0n ? upTo(33) - 16n : upTo(33));
    case "bits":
      return clamp(upTo(2));
    case "full":
      return next() < 0.2 ? (next() < 0.5 ? low : high) : uniform(low, high, next);
    case "constants": {
      // Numbers that the program compares this input with, more often than its other numbers.
      const own = numbers.of(request.range);
      const from = own.length > 0 && next() < 0.7 ? own : numbers.all;
      return from.length === 0 ? clamp(upTo(4)) : clamp(nth(from, Math.floor(next() * from.length)));
    }
    case "mixed": {
      const one = distributions[Math.floor(next() * (distributions.length - 1))]!;
      return drawValue(one, request, next, numbers);
    }
    default:
      return assertNever(distribution, "distribution");
  }
}

function drawFloat(distribution: Distribution, bits: 32 | 64, next: () => number): number {
  const whole = Math.floor(next() * 17) - 8;
  const value = distribution === "full" ? (next() - 0.5) * 2 ** Math.floor(next() * 60) : whole;
  return bits === 32 ? Math.fround(value) : value;
}

function uniform(low: bigint, high: bigint, next: () => number): bigint {
  let bits = 0n;
  for (let i = 0; i < 5; i++) bits = (bits << 32n) | BigInt(Math.floor(next() * 4294967296));
  return low + (bits % (high - low + 1n));
}

/** Numbers on which the way of a run may depend. */
export type InterestingNumbers = {
  /** All that the program mentions, with their neighbours, and those for which `x + c == d`. */
  readonly all: readonly bigint[];
  /** Those that the input read at this place is compared with, itself or after it was handed on. */
  of(range: SourceRange): readonly bigint[];
};

/** Rounds in which what is known of a variable goes to those it was copied from. */
const rounds = 6;

export function interestingNumbers(program: Program): InterestingNumbers {
  const all = new Set<bigint>();
  const own = new Map<VariableId, Set<bigint>>();
  const learn = (variable: VariableId, value: bigint) => {
    const known = own.get(variable);
    if (known === undefined) own.set(variable, new Set([value]));
    else known.add(value);
  };
  const operations = program.functions.flatMap((fn) => fn.edges.map(({ operation }) => operation));
  const assigned = assignedConstants(operations);
  const learnFrom = (expression: Expression) => {
    const value = constantValue(expression);
    if (value !== null) for (const near of [-1n, 0n, 1n]) all.add(value + near);
    if (expression.kind === "comparison") {
      learnComparison(expression.left, expression.right, assigned, learn);
      learnComparison(expression.right, expression.left, assigned, learn);
    }
  };
  for (const operation of operations) {
    expressionsWithin(operation).forEach(learnFrom);
    // `if (x - 256)` compares, too.
    if (operation.kind === "assume") learnTruth(operation.condition, learn);
    if (operation.kind !== "case") continue;
    const selector = linear(operation.selector);
    for (const [low, high] of operation.values ?? []) {
      all.add(low).add(high);
      if (selector !== null) learn(selector.variable, low - selector.offset);
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const operation of operations) handOn(program, operation, own, learn);
    for (const operation of operations) handBack(program, operation, own, learn);
  }
  for (const values of own.values()) for (const value of values) all.add(value);
  const byPlace = new Map<string, readonly bigint[]>();
  for (const fn of program.functions) {
    for (const { operation, range } of fn.edges) {
      if (operation.kind === "input") byPlace.set(keyOf(range), sorted(own.get(operation.target) ?? []));
    }
  }
  return { all: sorted(all), of: (range) => byPlace.get(keyOf(range)) ?? [] };
}

type Learn = (variable: VariableId, value: bigint) => void;

type Constants = ReadonlyMap<VariableId, ReadonlySet<bigint>>;

function learnComparison(left: Expression, right: Expression, assigned: Constants, learn: Learn): void {
  const compared = linear(left);
  if (compared === null) return;
  const value = constantValue(right);
  if (value !== null) {
    for (const near of [-1n, 0n, 1n]) learn(compared.variable, value - compared.offset + near);
    return;
  }
  const other = linear(right);
  if (other === null) return;
  for (const known of assigned.get(other.variable) ?? []) {
    learn(compared.variable, known + other.offset - compared.offset);
  }
}

/** Constants that a variable is set to somewhere: other variables may be compared with it. */
function assignedConstants(operations: readonly Operation[]): Constants {
  const assigned = new Map<VariableId, Set<bigint>>();
  for (const operation of operations) {
    const value = operation.kind === "assign" ? constantValue(operation.value) : null;
    if (operation.kind !== "assign" || value === null) continue;
    const known = assigned.get(operation.target);
    if (known === undefined) assigned.set(operation.target, new Set([value]));
    else known.add(value);
  }
  return assigned;
}

function learnTruth(condition: Expression, learn: Learn): void {
  const tested = linear(condition);
  if (tested !== null) for (const near of [-1n, 0n, 1n]) learn(tested.variable, near - tested.offset);
}

/** Facts about an assigned variable or a parameter hold for its value. */
function handOn(
  program: Program,
  operation: Operation,
  own: ReadonlyMap<VariableId, ReadonlySet<bigint>>,
  learn: Learn,
): void {
  const give = (to: VariableId, value: Expression) => {
    const from = linear(value);
    if (from === null || from.variable === to) return;
    for (const known of [...(own.get(to) ?? [])].slice(0, 200)) learn(from.variable, known - from.offset);
  };
  if (operation.kind === "assign") give(operation.target, operation.value);
  if (operation.kind !== "call" || operation.callee.kind !== "direct") return;
  const { parameters } = nth(program.functions, operation.callee.function);
  operation.arguments.forEach((argument, i) => {
    if (parameters[i] !== undefined) give(nth(parameters, i), argument);
  });
}

/** Facts about the result of a call hold for the value that the callee returns. */
function handBack(
  program: Program,
  operation: Operation,
  own: ReadonlyMap<VariableId, ReadonlySet<bigint>>,
  learn: Learn,
): void {
  if (operation.kind !== "call" || operation.callee.kind !== "direct" || operation.target === null) return;
  for (const { operation: returned } of nth(program.functions, operation.callee.function).edges) {
    const from = returned.kind === "return" && returned.value !== null ? linear(returned.value) : null;
    if (from === null) continue;
    for (const known of [...(own.get(operation.target) ?? [])].slice(0, 200)) learn(from.variable, known - from.offset);
  }
}

/** `x`, `x + c` and `x - c`, conversions aside. */
function linear(expression: Expression): { readonly variable: VariableId; readonly offset: bigint } | null {
  const inside = withoutConversions(expression);
  if (inside.kind === "variable") return { variable: inside.variable, offset: 0n };
  if (inside.kind !== "binary" || (inside.operator !== "+" && inside.operator !== "-")) return null;
  const value = constantValue(inside.right);
  const left = withoutConversions(inside.left);
  if (value === null || left.kind !== "variable") return null;
  return { variable: left.variable, offset: inside.operator === "+" ? value : -value };
}

function constantValue(expression: Expression): bigint | null {
  const inside = withoutConversions(expression);
  return inside.kind === "constant" && typeof inside.value === "bigint" ? inside.value : null;
}

function withoutConversions(expression: Expression): Expression {
  let inside = expression;
  while (inside.kind === "convert") inside = inside.operand;
  return inside;
}

function sorted(values: Iterable<bigint>): readonly bigint[] {
  return [...values].sort((a, b) => (a < b ? -1 : 1));
}

function keyOf({ file, line, column }: SourceRange): string {
  return `${file}:${line}:${column}`;
}
