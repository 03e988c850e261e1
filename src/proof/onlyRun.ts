import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { unlessRefused } from "../base/errors.ts";
import { overflowIn, type Property, type Question } from "../cutpoints/obligation.ts";
import { type RunResult, runProgram } from "../interpreter/run.ts";
import { reachableFunctions } from "../ir/calls.ts";
import type { Expression } from "../ir/expression.ts";
import { expressionsWithin, type Operation } from "../ir/operation.ts";
import type { Program } from "../ir/program.ts";

/**
 * The only run of a program, if it has only one: it reads no input, no memory that was never written, and nothing that
 * differs from machine to machine. null if it may have others, or if the limits end it.
 */
export function onlyRun(
  program: Program,
  question: Question,
  { maxSteps, cancellation = neverCancelled }: { readonly maxSteps: number; readonly cancellation?: Cancellation },
): RunResult | null {
  if (!decidedByRuns.has(question.property) || !isFixed(program)) return null;
  const options = { undefinedBehaviour: overflowIn(question), maxSteps, cancellation, onOutput: () => undefined };
  const result = unlessRefused(() => runProgram(program, options));
  if (result === null) return null;
  const isWhole = result.outcome.kind !== "limit" && result.outcome.kind !== "needs-input";
  return isWhole && result.inputs.length === 0 ? result : null;
}

/** True if the run ends without an error; undefined behaviour ends it, but says nothing of what comes then. */
export function endsWell({ outcome }: RunResult): boolean {
  return outcome.kind === "exit" || outcome.kind === "abort" || outcome.kind === "assumption-violated";
}

/** The interpreter sees every violation of these. */
const decidedByRuns: ReadonlySet<Property> = new Set(["assert", "overflow", "div-by-zero"]);

/** Library functions whose effects are the same on every machine; of those that print, the result is not looked at. */
const fixedFunctions: ReadonlySet<string> = new Set([
  ...["malloc", "calloc", "free", "memset", "memcpy", "memmove", "strlen", "strcpy", "strcmp", "abs", "labs"],
]);
const printing: ReadonlySet<string> = new Set(["printf", "puts", "putchar"]);

function isFixed(program: Program): boolean {
  // A note says that something is not modelled exactly.
  if (program.notes.length > 0) return false;
  if (nth(program.functions, program.entry).parameters.length > 0) return false;
  return [...reachableFunctions(program)].every((id) =>
    nth(program.functions, id).edges.every(({ operation }) => isFixedOperation(operation)),
  );
}

function isFixedOperation(operation: Operation): boolean {
  if (operation.kind === "callLibrary") {
    const { name, target } = operation;
    if (!fixedFunctions.has(name) && !(printing.has(name) && target === null)) return false;
  }
  // Pointers in memory could be read as numbers.
  if (operation.kind === "store" && operation.type.kind === "pointer") return false;
  if (operation.kind === "declare" && operation.variableLength !== undefined) return false;
  return expressionsWithin(operation).every(isFixedExpression);
}

/** False where the value may depend on addresses. */
function isFixedExpression(expression: Expression): boolean {
  const isPointer = ({ type }: Expression) => type.kind === "pointer";
  const isNull = ({ kind }: Expression) => kind === "constant";
  if (expression.kind === "convert") {
    return isPointer(expression) === isPointer(expression.operand) || isNull(expression.operand);
  }
  if (expression.kind !== "comparison" || !isPointer(expression.left)) return true;
  const isEquality = expression.operator === "==" || expression.operator === "!=";
  return isEquality && (isNull(expression.left) || isNull(expression.right));
}
