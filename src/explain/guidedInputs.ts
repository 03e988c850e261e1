import type { Expression } from "../ir/expression.ts";
import { expressionOperands } from "../ir/expressionParts.ts";
import { operationExpressions } from "../ir/operationParts.ts";
import type { Program } from "../ir/program.ts";
import { rangeOfInt } from "../ir/typeFacts.ts";
import { type InputRequest, type InputSource, type InputValue, mulberry32 } from "../trace/inputs.ts";
import type { Trace } from "../trace/trace.ts";

/** Inputs that learn from earlier runs: sequences that reached something new are varied further. */
export type GuidedInputs = {
  next(): InputSource;
  learn(trace: Trace): void;
};

/** Longer sequences are not kept: what they reach, a shorter one will. */
const longest = 2000;

export function guidedInputs(program: Program, seed: number): GuidedInputs {
  const next = mulberry32(seed);
  const constants = constantsOf(program);
  const corpus: (readonly InputValue[])[] = [];
  const covered = new Set<number>();
  return {
    next: () => chooseInputs(next, corpus, constants),
    learn(trace) {
      const before = covered.size;
      for (const chunk of trace.log) for (const block of chunk) covered.add(block);
      if (covered.size > before && trace.inputs.length <= longest) corpus.push(trace.inputs.map(({ value }) => value));
    },
  };
}

/** An earlier sequence with a few values changed, or a part of it, and random values behind its end. */
function chooseInputs(
  next: () => number,
  corpus: readonly (readonly InputValue[])[],
  constants: readonly bigint[],
): InputSource {
  const base = corpus.length === 0 || next() < 0.2 ? [] : corpus[Math.floor(next() * corpus.length)]!;
  const values: (InputValue | undefined)[] = [...base];
  if (values.length > 0) {
    if (next() < 0.3) values.length = Math.floor(next() * values.length);
    for (let changes = Math.floor(next() * 4); changes > 0; changes--) {
      values[Math.floor(next() * values.length)] = undefined;
    }
  }
  const random = mulberry32(Math.floor(next() * 2 ** 32));
  return (request) => values[request.index] ?? randomValue(random, request, constants);
}

/** Mostly small, else one of the program's own constants, now and then an end of the range. */
function randomValue(next: () => number, { type, within }: InputRequest, constants: readonly bigint[]): InputValue {
  if (type.kind === "float") return Math.floor(next() * 17) - 8;
  if (type.kind === "pointer") return 0n;
  const [low, high] = within ?? rangeOfInt(type);
  const clamp = (value: bigint) => (value < low ? low : value > high ? high : value);
  const choice = next();
  if (choice < 0.55) return clamp(BigInt(Math.floor(next() * 3)) - 1n);
  if (choice < 0.75) return clamp(BigInt(Math.floor(next() * 17)) - 8n);
  if (choice < 0.95 && constants.length > 0) return clamp(constants[Math.floor(next() * constants.length)]!);
  return next() < 0.5 ? low : high;
}

/** Numbers that the program mentions, and their neighbours. */
function constantsOf(program: Program): readonly bigint[] {
  const found = new Set<bigint>();
  const visit = (expression: Expression) => {
    if (expression.kind === "constant" && typeof expression.value === "bigint") {
      for (const near of [-1n, 0n, 1n]) found.add(expression.value + near);
    }
    for (const operand of expressionOperands(expression)) visit(operand);
  };
  for (const fn of program.functions) {
    for (const { operation } of fn.edges) {
      operationExpressions(operation).forEach(visit);
      if (operation.kind === "case") for (const [low, high] of operation.values ?? []) found.add(low).add(high);
    }
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}
