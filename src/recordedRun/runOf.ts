import { nth } from "../base/checked.ts";
import { memoised, remembered } from "../base/memo.ts";
import { libraryFunction } from "../c/library/table.ts";
import { quarantine } from "../interpreter/memory/objectLayout.ts";
import { stepCursor } from "../interpreter/stepCursor.ts";
import type { Trace } from "../interpreter/trace.ts";
import { type Expression, expressionOperands } from "../ir/expression.ts";
import { expressionsWithin, type Operation } from "../ir/operation.ts";
import type { Edge } from "../ir/program.ts";
import type { IntType } from "../ir/type.ts";
import { evaluate, evaluateAll } from "../logic/evaluate.ts";
import type { Terms } from "../logic/terms.ts";
import { createSymbols, type Symbols } from "../symbolic/symbols.ts";
import { type LibraryFacts, objectAt, placeAt, replayLibrary } from "./libraryFacts.ts";
import type { Run, RunEvent } from "./run.ts";
import { eventOf } from "./runEvent.ts";
import { sampleRun, withStateAt } from "./sampleRun.ts";
import { findActivations, stepsBetween } from "./steps.ts";

/** A trace of the interpreter as a run. What takes a replay is looked up when first asked for, and kept. */
export const runOf = memoised((trace: Trace): Run => makeRun(trace));

function makeRun(trace: Trace): Run {
  let known: LibraryFacts | null = null;
  const library = () => {
    known ??= replayLibrary(trace);
    return known;
  };
  let event: RunEvent | null | undefined;
  const run: Run = {
    program: trace.program,
    steps: trace.steps,
    outcome: trace.outcome,
    inputs: trace.inputs,
    undefinedBehaviour: trace.settings.undefinedBehaviour,
    argumentCount: trace.settings.args.length + 1,
    between: (from, to) => stepsBetween(trace, from, to),
    walk: () => stepCursor(trace),
    activations: (query) => findActivations(trace, query),
    sample: (symbols, points, until) => sampleRun(symbols, trace, points, until),
    valuesAt: (symbols, at, use) => withStateAt(symbols, trace, at, use),
    objectsAt(symbols, at, addresses) {
      const found = withStateAt(symbols, trace, at, (assignment, state) => {
        // Numbers of blocks are given again only after many have died.
        const reused = state.memory.deadCount >= quarantine;
        const blockUse = (number: number) => (reused ? library().blockUse(number, at.step) : 0);
        return evaluateAll(addresses, assignment).map((value) =>
          typeof value === "bigint" ? objectAt(symbols, state, at.stack, value, blockUse) : null,
        );
      });
      return found ?? addresses.map(() => null);
    },
    placeAt: (symbols, at, address) =>
      withStateAt(symbols, trace, at, (assignment, state) => {
        const value = evaluate(address, assignment);
        return typeof value === "bigint" && value !== 0n ? placeAt(state, Number(value)) : null;
      }),
    libraryCall: (step) => library().calls.get(step),
    event() {
      if (event === undefined) event = eventOf(run);
      return event;
    },
  };
  return run;
}

/** With more floating-point operations on a run solvers do not answer in time: then only known numbers are computed with. */
const mostOperations = 100;

/** Longer runs are not looked at: what remains to be proved of them is about loops. */
const mostSteps = 20_000;

/** Names for the logic of a run. Whoever makes them again, as a checker does, gets the same. */
export function symbolsOfRun(run: Pick<Run, "program" | "steps" | "walk">, terms: Terms): Symbols {
  return createSymbols(run.program, terms, { computesFloats: hasFewFloats(run) });
}

function hasFewFloats({ program, steps, walk }: Pick<Run, "program" | "steps" | "walk">): boolean {
  if (steps > mostSteps) return false;
  const counts = new Map<Operation, number>();
  let total = 0;
  for (const cursor = walk(); cursor.next(); ) {
    const { operation } = nth(nth(program.functions, cursor.function).edges, cursor.edge);
    const count = remembered(counts, operation, () => expressionsWithin(operation).filter(computesFloat).length);
    total += count;
    if (total > mostOperations) return false;
  }
  return true;
}

function computesFloat(expression: Expression): boolean {
  if (expression.kind !== "binary" && expression.kind !== "comparison" && expression.kind !== "convert") return false;
  return [expression, ...expressionOperands(expression)].some(({ type }) => type.kind === "float");
}

/** A byte of standard input that a step of the run read alone. */
export type InputByte = { readonly step: number; readonly value: number };

export const byteType: IntType = { kind: "int", bits: 8, signed: false, name: "unsigned char" };

/** More bytes than these are taken as they are. */
const mostBytes = 64;

/**
 * The first bytes of standard input, as far as the run reads them one by one with `getchar`: the n-th of these calls reads the n-th byte on
 * every run that comes here in the same way. What else reads a stream may read any number of bytes, so nothing is said behind it.
 */
export function inputBytes({
  program,
  walk,
  libraryCall,
}: Pick<Run, "program" | "walk" | "libraryCall">): readonly InputByte[] {
  const bytes: InputByte[] = [];
  const asks = ({ operation }: Edge) => operation.kind === "callLibrary" && operation.name === "getchar";
  if (!program.functions.some(({ edges }) => edges.some(asks))) return bytes;
  for (const cursor = walk(); cursor.next(); ) {
    const { operation } = nth(nth(program.functions, cursor.function).edges, cursor.edge);
    if (operation.kind !== "callLibrary") continue;
    if (operation.name === "getchar") {
      const result = libraryCall(cursor.step)?.result;
      if (result === undefined || result < 0 || bytes.length === mostBytes) return bytes;
      bytes.push({ step: cursor.step, value: Number(result) });
    } else if (libraryFunction(operation.name).header === "stdio.h" && !readNothing.has(operation.name)) return bytes;
  }
  return bytes;
}

/** Functions that read nothing of standard input. */
const readNothing: ReadonlySet<string> = new Set([
  "printf",
  "puts",
  "putchar",
  "fprintf",
  "fputs",
  "fputc",
  "putc",
  "perror",
  "fflush",
  "sprintf",
  "snprintf",
  "sscanf",
]);
