import { nth } from "../base/checked.ts";
import { libraryFunction } from "../c/library/table.ts";
import { type Expression, expressionOperands } from "../ir/expression.ts";
import { expressionsWithin, type Operation } from "../ir/operation.ts";
import type { Edge } from "../ir/program.ts";
import type { IntType } from "../ir/type.ts";
import type { Terms } from "../logic/terms.ts";
import { createSymbols, type Symbols } from "../symbolic/symbols.ts";
import type { Run } from "./run.ts";

/** With more floating-point operations on a run solvers do not answer in time: then only known numbers are computed with. */
const mostOperations = 100;

/** Longer runs are not looked at: what remains to be proved of them is about loops. */
const mostSteps = 20_000;

/** Names for the logic of a run. Whoever makes them again, as a checker does, gets the same. */
export function symbolsOfRun(run: Pick<Run, "program" | "steps" | "walk">, terms: Terms): Symbols {
  return createSymbols(run.program, terms, hasFewFloats(run));
}

function hasFewFloats({ program, steps, walk }: Pick<Run, "program" | "steps" | "walk">): boolean {
  if (steps > mostSteps) return false;
  const counts = new Map<Operation, number>();
  let total = 0;
  for (const cursor = walk(); cursor.next(); ) {
    const { operation } = nth(nth(program.functions, cursor.function).edges, cursor.edge);
    let count = counts.get(operation);
    if (count === undefined) {
      count = expressionsWithin(operation).filter(computesFloat).length;
      counts.set(operation, count);
    }
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
