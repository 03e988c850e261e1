import type { Function, Program } from "../../ir/program.ts";
import { rootOfAddress } from "../../ir/writesVariable.ts";

/**
 * Tests are right: what they do is suspected last. Test code is where the run begins, what is called like a test, and functions
 * that only check: they hold assertions, give no value and write nothing that outlives them.
 */
export function testFunctions(program: Program): ReadonlySet<Function> {
  return new Set(program.functions.filter((fn) => isTest(program, fn)));
}

function isTest(program: Program, fn: Function): boolean {
  if (fn.id === program.entry || fn.name === "main") return true;
  return /^_*(test|check|expect|assert|verify|require)|_test$|^__VERIFIER/i.test(fn.name) || onlyChecks(program, fn);
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
