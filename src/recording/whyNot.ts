import { endOfExecution } from "./navigate.ts";
import { enclosing, isInside, lastStarted, type OpenRecording, statementsOn } from "./openRecording.ts";

/** Why a line was not executed: by what the run passed. */
export type WhyNot =
  | { readonly kind: "executed"; readonly times: number; readonly step: number }
  | { readonly kind: "noStatement" }
  /** The condition that led past it, at its last test. */
  | { readonly kind: "condition"; readonly statement: number; readonly step: number }
  /** The statement that left its function or its loop before, or the end of the run. */
  | { readonly kind: "left"; readonly statement: number; readonly step: number }
  | { readonly kind: "neverCalled"; readonly function: number; readonly callers: readonly number[] };

export function whyNotLine(open: OpenRecording, file: number, line: number, step: number): WhyNot {
  const { recording } = open;
  const on = statementsOn(recording, file, line);
  const executed = on.map((statement) => open.executionsOf(statement)).filter(({ length }) => length > 0);
  const [first] = executed;
  if (first !== undefined)
    return { kind: "executed", times: first.length, step: recording.executions.firstStep[first[0] ?? 0] ?? 0 };
  const [statement] = on;
  return statement === undefined ? { kind: "noStatement" } : whyNotStatement(open, statement, step);
}

function whyNotStatement(open: OpenRecording, statement: number, step: number): WhyNot {
  const { recording } = open;
  const fn = recording.statements[statement]?.function ?? 0;
  // The innermost condition or loop around it that was reached.
  for (const outer of enclosing(recording, statement)) {
    const last = lastExecution(open, outer, step);
    if (last === null) continue;
    const end = endOfExecution(open, recording.executions.firstStep[last] ?? 0);
    const left = leftInside(open, outer, statement, last);
    return left === null ? { kind: "condition", statement: outer, step: end } : left;
  }
  const activation = lastActivation(open, fn, step);
  if (activation === null) return { kind: "neverCalled", function: fn, callers: callersOf(open, fn) };
  const executions = open.executionsIn(activation);
  const last = executions.at(-1);
  if (last === undefined) return { kind: "neverCalled", function: fn, callers: callersOf(open, fn) };
  const start = recording.executions.firstStep[last] ?? 0;
  return { kind: "left", statement: recording.executions.statement[last] ?? 0, step: endOfExecution(open, start) };
}

/** If the run was in the same branch and left it before the statement: where. */
function leftInside(open: OpenRecording, outer: number, statement: number, execution: number): WhyNot | null {
  const { recording } = open;
  const { statements, executions } = recording;
  const around = statements[outer];
  const wanted = statements[statement];
  if (around === undefined || wanted === undefined) return null;
  const own = open.executionsIn(executions.activation[execution] ?? 0);
  const inside: number[] = [];
  for (let i = own.indexOf(execution) + 1; i < own.length; i++) {
    const other = statements[executions.statement[own[i] ?? 0] ?? 0];
    if (other === undefined || !isInside(other.at, around.whole) || other === around) break;
    inside.push(own[i] ?? 0);
  }
  const last = inside.at(-1);
  const at = last === undefined ? undefined : statements[executions.statement[last] ?? 0];
  // A statement before it in the text that ends the way: `return`, `break`, `throw`, or where the run ends.
  const isBefore =
    at !== undefined && (at.at[0] < wanted.at[0] || (at.at[0] === wanted.at[0] && at.at[1] < wanted.at[1]));
  const leaves = at?.kind === "return" || at?.kind === "jump" || last === own.at(-1);
  if (last === undefined || !isBefore || !leaves) return null;
  const start = executions.firstStep[last] ?? 0;
  return { kind: "left", statement: executions.statement[last] ?? 0, step: endOfExecution(open, start) };
}

/** The last execution up to a step, else the first one behind it. */
function lastExecution(open: OpenRecording, statement: number, step: number): number | null {
  const executions = open.executionsOf(statement);
  return executions[Math.max(0, lastStarted(open, executions, step))] ?? null;
}

function lastActivation(open: OpenRecording, fn: number, step: number): number | null {
  const { activations } = open.recording;
  let best: number | null = null;
  for (let activation = 0; activation < activations.function.length; activation++) {
    if (activations.function[activation] !== fn) continue;
    if (best !== null && open.spanOf(activation)[0] > step) break;
    best = activation;
  }
  return best;
}

/** The statements whose text names a function as a call. */
function callersOf({ recording }: OpenRecording, fn: number): readonly number[] {
  const name = recording.functions[fn] ?? "";
  const call = new RegExp(`(^|[^\\w$])${name.replaceAll(/[^\w]/g, "\\$&")}\\s*\\(`);
  return recording.statements
    .flatMap(({ text, function: own }, i) => (own !== fn && call.test(text) ? [i] : []))
    .slice(0, 20);
}
