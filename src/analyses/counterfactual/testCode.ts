import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { findFunction, mayWrite } from "../../c/library/table.ts";
import type { Change } from "../../changes/change.ts";
import { changeKinds } from "../../changes/kinds.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { FailureRoot } from "../../dependence/failureRoot.ts";
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
  const tests = new Set(program.functions.filter((fn) => isTest(program, fn)));
  if (isProgram) return tests;
  const drivers = program.functions.filter((fn) => isDriver(program, fn));
  return withCallersOfTests(program, new Set([...drivers, ...tests]));
}

/**
 * Functions that drivers and tests alone call and that leave nothing behind are tests, too, if they call one, or if a
 * driver asks several of them for an answer.
 */
function withCallersOfTests(program: Program, known: ReadonlySet<Function>): ReadonlySet<Function> {
  const callers = callersOf(program);
  const tests = new Set(known);
  const isOfTests = (fn: Function) => {
    const by = [...(callers.get(fn) ?? [])];
    return fn.parameters.length === 0 && !tests.has(fn) && by.length > 0 && by.every((caller) => tests.has(caller));
  };
  const candidates = program.functions.filter(
    (fn) => isOfTests(fn) && calledBy(program, fn).length > 0 && !writesOutside(program, fn),
  );
  const answers = candidates.filter(({ type }) => type.result.kind !== "void");
  if (answers.length > 1) for (const fn of answers) tests.add(fn);
  for (const fn of candidates) {
    if (calledBy(program, fn).some((called) => tests.has(called) && !isDriver(program, called))) tests.add(fn);
  }
  return tests;
}

/**
 * Test code that must not be changed: tests, and what starts them. With a change there, the test that fails may no
 * longer run or no longer ask, and then nothing is repaired.
 */
export type ProtectedTests = {
  readonly functions: ReadonlySet<Function>;
  /** True for a change of other test code that may leave out the call that led to the failure. */
  skipsCall(change: Change, fn: Function): boolean;
};

export function protectedTests(
  graph: DependenceGraph,
  root: FailureRoot,
  tests: ReadonlySet<Function>,
): ProtectedTests {
  const { program, outcome } = graph.trace;
  const calls = failingCalls(graph, root, tests);
  // If the exit status is the verdict, those who compute it ask.
  const asksByStatus = outcome.kind === "wrong-exit" && hasOtherFunctions(program);
  const functions = new Set([...tests].filter(({ id }) => asksByStatus || id !== program.entry));
  for (const { caller, callee } of calls) if (tests.has(callee)) functions.add(caller);
  return {
    functions,
    skipsCall({ kind, file, edits }, fn) {
      const callees = calls.filter(({ caller }) => caller === fn).map(({ callee }) => callee.name);
      if (callees.length === 0) return false;
      const text = program.files.find(({ path }) => path === file)?.text ?? "";
      const removes = (name: string) => {
        const calls = new RegExp(`\\b${name}\\b`);
        return edits.some(({ start, end, text: now }) => calls.test(text.slice(start, end)) && !calls.test(now));
      };
      return changeKinds[kind].how !== "replaced" || callees.some(removes);
    },
  };
}

/** The calls that were active at the failure and that test code made. */
function failingCalls(graph: DependenceGraph, root: FailureRoot, tests: ReadonlySet<Function>): readonly FailingCall[] {
  const found: FailingCall[] = [];
  let step: number | null = root.step;
  while (step !== null && step >= graph.first) {
    const callee = graph.function(step);
    step = graph.callOf(graph.activation(step));
    if (step === null || step < graph.first) break;
    const caller = graph.function(step);
    if (tests.has(caller)) found.push({ caller, callee });
  }
  return found;
}

type FailingCall = { readonly caller: Function; readonly callee: Function };

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
  return asserts && !writesOutside(program, fn);
}

/** True if it writes anything that outlives it. */
function writesOutside(program: Program, fn: Function): boolean {
  return fn.edges.some(({ operation }) => {
    if (operation.kind === "assign") return nth(program.variables, operation.target).kind === "static";
    if (operation.kind !== "store" && operation.kind !== "copy") return false;
    const root = rootOfAddress(operation.kind === "store" ? operation.address : operation.to);
    const isLocal =
      root.kind === "addressOf" &&
      root.object.kind === "variable" &&
      nth(program.variables, root.object.variable).kind !== "static";
    return !isLocal;
  });
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
