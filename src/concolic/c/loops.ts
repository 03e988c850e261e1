import { nth, present } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import { type Loop, loopsOf } from "../../ir/loops.ts";
import { writtenRegister } from "../../ir/operation.ts";
import type { Edge, Function, VariableId } from "../../ir/program.ts";
import { isScalar } from "../../ir/type.ts";
import { type EntryExpr, loopVariable, mapParts } from "../expr.ts";
import type { CFrame, LoopStay } from "./frame.ts";
import { recordedOf } from "./value.ts";

/**
 * Abstraction for loops (paper 002 §4.3): variables that the loop assigns are symbols `$x` in each round, the latest
 * condition of a program point counts, and the condition to leave counts only if the body was never entered.
 */
export function arrive(frame: CFrame, edge: Edge): void {
  const { loops } = frame;
  while (loops.length > 0 && !present(loops.at(-1)).loop.body.has(edge.from)) leave(frame);
  const loop = loopsOf(frame.fn).loopWithHeader(edge.from);
  if (loop === null) return;
  const top = loops.at(-1);
  if (top?.loop === loop) {
    top.rounds++;
    startRound(frame, top);
    return;
  }
  const assigned = assignedIn(frame.fn, loop);
  const stay: LoopStay = {
    loop,
    before: new Map([...frame.registers].filter(([variable]) => assigned.has(variable))),
    writesBefore: frame.cells.writeCount,
    rounds: 0,
    conditions: frame.conditions,
  };
  frame.loopStart ??= frame.conditions.length;
  loops.push(stay);
  startRound(frame, stay);
}

function leave(frame: CFrame): void {
  frame.loops.pop();
  if (frame.loops.length === 0) frame.loopStart = null;
}

function startRound(frame: CFrame, stay: LoopStay): void {
  const { program, pointers } = frame.world;
  for (const variable of assignedIn(frame.fn, stay.loop)) {
    const known = frame.registers.get(variable);
    const { name, madeUp, type } = nth(program.variables, variable);
    if (known === undefined || madeUp || !isScalar(type)) continue;
    const values = frame.rounds.get(name) ?? [];
    if (values.length < 8) frame.rounds.set(name, [...values, recordedOf(known.raw, type, pointers)]);
    frame.registers.set(variable, { raw: known.raw, term: loopVariable(name), scale: null });
  }
  frame.cells.startRound(stay.writesBefore);
  stay.conditions = frame.conditions;
  frame.conditions = [...frame.conditions];
}

/**
 * Called when a branch was followed. The loop's own condition to leave is one more fact about nothing but the last round;
 * where there was no round, its symbols stood for the values before the loop after all.
 */
export function leaveByTest(frame: CFrame, edge: Edge): void {
  const stay = frame.loops.at(-1);
  if (stay === undefined || stay.loop.body.has(edge.to) || !isTest(edge)) return;
  if (stay.rounds > 0) {
    frame.conditions = [...stay.conditions];
    return;
  }
  const values = new Map<string, EntryExpr>();
  for (const [variable, value] of stay.before) {
    frame.registers.set(variable, value);
    values.set(`$${nth(frame.world.program.variables, variable).name}`, value.term);
  }
  const put = (expr: EntryExpr): EntryExpr =>
    expr.kind === "loop" ? (values.get(expr.key) ?? expr) : mapParts(expr, put);
  const from = stay.conditions.length;
  frame.conditions = frame.conditions.map((one, at) => (at < from ? one : { ...one, expr: put(one.expr) }));
}

/** The loop's own condition, or a part of it; not that of an `if` with a `break`. */
function isTest({ operation }: Edge): boolean {
  return operation.kind === "assume" && (operation.origin === "loop" || operation.origin === "shortCircuit");
}

const assigned = new WeakMap<Loop, ReadonlySet<VariableId>>();

function assignedIn(fn: Function, loop: Loop): ReadonlySet<VariableId> {
  return remembered(assigned, loop, () => {
    const inside = fn.edges.filter((edge) => loop.body.has(edge.from) && loop.body.has(edge.to));
    return new Set(inside.flatMap(({ operation }) => writtenRegister(operation) ?? []));
  });
}
