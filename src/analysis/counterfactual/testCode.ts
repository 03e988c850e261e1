import type { SourceRange } from "../../base/sourceRange.ts";
import { rootOfAddress } from "../../ir/dataFlow.ts";
import type { Function, Program } from "../../ir/program.ts";
import { containsRange } from "../../ir/statementAt.ts";

/**
 * Tests are right: what they do is suspected last. Test code is where the run begins, what is called like a test, and functions
 * that only check: they hold assertions, give no value and write nothing that outlives them.
 */
export function testFunctions(program: Program): ReadonlySet<Function> {
  return new Set(program.functions.filter((fn) => isTest(program, fn)));
}

/** Data that a test declares `static` is set by no function, but belongs to the test. */
export function isInTest(program: Program, tests: ReadonlySet<Function>, fn: Function, range: SourceRange): boolean {
  if (fn.id !== program.initializer) return tests.has(fn);
  return [...tests].some(({ statements }) => statements?.some((statement) => containsRange(statement.range, range)));
}

function isTest(program: Program, fn: Function): boolean {
  if (fn.id === program.entry || fn.name === "main") return true;
  const isVoid = fn.type.result.kind === "void";
  return isCalledTest(fn) || (isVoid && /^_*(check|verify|require)/i.test(fn.name)) || onlyChecks(program, fn);
}

/** Where `main` is all that drives the program, some of it may be the program. */
export function isCalledTest({ name }: Function): boolean {
  return /^_*(test|expect|assert)|_test$|^__VERIFIER/i.test(name);
}

function onlyChecks(program: Program, fn: Function): boolean {
  if (fn.type.result.kind !== "void") return false;
  const asserts = fn.edges.some(({ operation }) => operation.kind === "fail" && operation.reason !== "exit");
  return (
    asserts &&
    !fn.edges.some(({ operation }) => {
      if (operation.kind === "assign") return program.variables[operation.target]!.kind === "static";
      if (operation.kind !== "store" && operation.kind !== "copy") return false;
      const root = rootOfAddress(operation.kind === "store" ? operation.address : operation.to);
      const isLocal =
        root.kind === "addressOf" &&
        root.object.kind === "variable" &&
        program.variables[root.object.variable]!.kind !== "static";
      return !isLocal;
    })
  );
}
