import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { findFunction, mayWrite } from "../../c/library/table.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Expected } from "../../interpreter/expected.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { rootOfAddress } from "../../ir/dataFlow.ts";
import type { Edge, Function, Program } from "../../ir/program.ts";
import { isOfLibrary } from "../../ir/reservedNames.ts";
import { containsRange } from "../../ir/source.ts";

/**
 * Tests are assumed to be right, so they are suspected last. Test code: the entry function, functions named like tests
 * and their runners, and functions that only check (they have assertions, return nothing and write nothing that outlives them).
 * If a test is an input with its expected output, the entry function belongs to the program. One that prints what
 * functions return for values of its own is a test, as one that checks them.
 */
export function testFunctions(trace: Pick<Trace, "program" | "settings" | "inputs">): ReadonlySet<Function> {
  const { program, settings } = trace;
  const isProgram = expectsOutput(settings) && (hasInput(trace) || !hasOtherFunctions(program));
  const drives = isProgram ? () => false : (fn: Function) => isDriver(program, fn);
  return new Set(program.functions.filter((fn) => drives(fn) || isTest(program, fn)));
}

/** Says the expected output more than one check does? With a single word, accidents are as frequent. */
export function expectsSeveralWords({ expected }: { readonly expected?: Expected | null }): boolean {
  const files = expected?.files ?? [];
  return files.length > 0 || /\S\s+\S/.test(Buffer.from(expected?.stdout ?? []).toString("latin1"));
}

/** An expected status alone does not say what a run must do: leaving early has it, too. */
export function expectsOutput({ expected }: { readonly expected?: Expected | null }): boolean {
  return expected?.stdout !== undefined || (expected?.files ?? []).length > 0;
}

function hasInput({ settings: { stdin, args }, inputs }: Pick<Trace, "settings" | "inputs">): boolean {
  return stdin.length > 0 || args.length > 0 || inputs.length > 0;
}

function hasOtherFunctions(program: Program): boolean {
  const isOwn = (fn: Function) => fn.id !== program.initializer && !isOfLibrary(fn) && !isDriver(program, fn);
  return program.functions.some((fn) => fn.edges.length > 0 && isOwn(fn) && !isTest(program, fn));
}

function isDriver({ entry }: Program, { id, name }: Function): boolean {
  return id === entry || name === "main";
}

/** Where a test printed what was not expected: it asks, as an assertion does. */
export function askingPrint(
  { wrongByte, ...graph }: DependenceGraph,
  tests: ReadonlySet<Function>,
): readonly SourceRange[] {
  if (wrongByte === null || !tests.has(graph.function(wrongByte.step))) return [];
  return [graph.edge(wrongByte.step).range];
}

/** True for `static` data that a test declares, too. */
export function isInTest(program: Program, tests: ReadonlySet<Function>, fn: Function, range: SourceRange): boolean {
  if (fn.id !== program.initializer) return tests.has(fn);
  return [...tests].some(({ statements }) => statements?.some((statement) => containsRange(statement.range, range)));
}

function isTest(program: Program, fn: Function): boolean {
  if (fn.edges.some(({ operation }) => operation.kind === "fail" && operation.check === "framework")) return true;
  const isVoid = fn.type.result.kind === "void";
  const isRunner = /(^|_)(tests?|suite)$/i.test(fn.name);
  return (
    isCalledTest(fn) || isRunner || (isVoid && /^_*(check|verify|require)/i.test(fn.name)) || onlyChecks(program, fn)
  );
}

/** If only `main` drives the program, a part of it may belong to the program. */
export function isCalledTest({ name }: Function): boolean {
  return /^_*(test|expect|assert)|_test$|^__VERIFIER/i.test(name);
}

function onlyChecks(program: Program, fn: Function): boolean {
  if (fn.type.result.kind !== "void") return false;
  const asserts = fn.edges.some(({ operation }) => operation.kind === "fail" && operation.reason !== "exit");
  return (
    asserts &&
    !fn.edges.some(({ operation }) => {
      if (operation.kind === "assign") return nth(program.variables, operation.target).kind === "static";
      if (operation.kind !== "store" && operation.kind !== "copy") return false;
      const root = rootOfAddress(operation.kind === "store" ? operation.address : operation.to);
      const isLocal =
        root.kind === "addressOf" &&
        root.object.kind === "variable" &&
        nth(program.variables, root.object.variable).kind !== "static";
      return !isLocal;
    })
  );
}

/**
 * Test oracles, such as `is_sorted` and `equal`: they return an answer, change nothing, and only tests call them. They
 * are suspected after the code that they check.
 */
export function testOracles(program: Program, tests: ReadonlySet<Function>): ReadonlySet<Function> {
  const callers = callersOf(program);
  const harmless = harmlessFunctions(program);
  const questions = new Set<Function>();
  const isQuestion = (fn: Function) => {
    if (questions.has(fn) || tests.has(fn) || !harmless.has(fn) || fn.type.result.kind === "void") return false;
    const by = callers.get(fn) ?? new Set();
    return by.size > 0 && [...by].every((caller) => tests.has(caller) || questions.has(caller));
  };
  for (let found = [...harmless].filter(isQuestion); found.length > 0; found = [...harmless].filter(isQuestion)) {
    for (const fn of found) questions.add(fn);
  }
  return questions;
}

function callersOf(program: Program): ReadonlyMap<Function, ReadonlySet<Function>> {
  const callers = new Map<Function, Set<Function>>();
  for (const fn of program.functions) {
    for (const called of calledBy(program, fn)) callers.set(called, (callers.get(called) ?? new Set()).add(fn));
  }
  return callers;
}

function calledBy(program: Program, fn: Function): readonly Function[] {
  return fn.edges.flatMap(({ operation }) =>
    operation.kind === "call" && operation.callee.kind === "direct"
      ? [nth(program.functions, operation.callee.function)]
      : [],
  );
}

/** Functions that write nothing that outlives them and call no others. */
function harmlessFunctions(program: Program): ReadonlySet<Function> {
  const harmless = new Set(program.functions.filter(({ edges }) => edges.every((edge) => isHarmless(program, edge))));
  const callsOthers = (fn: Function) => calledBy(program, fn).some((called) => !harmless.has(called));
  for (let lost = [...harmless].filter(callsOthers); lost.length > 0; lost = [...harmless].filter(callsOthers)) {
    for (const fn of lost) harmless.delete(fn);
  }
  return harmless;
}

function isHarmless(program: Program, { operation }: Edge): boolean {
  switch (operation.kind) {
    case "assign":
      return nth(program.variables, operation.target).kind !== "static";
    case "store":
    case "copy": {
      const root = rootOfAddress(operation.kind === "store" ? operation.address : operation.to);
      if (root.kind !== "addressOf" || root.object.kind !== "variable") return false;
      return nth(program.variables, root.object.variable).kind !== "static";
    }
    case "call":
      return operation.callee.kind === "direct";
    case "callLibrary": {
      const called = findFunction(operation.name);
      return called !== null && !mayWrite(called) && !/alloc|free|^f?(put|print|get|read|scan)/.test(operation.name);
    }
    default:
      return true;
  }
}
