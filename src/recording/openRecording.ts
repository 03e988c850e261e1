import { readOwners } from "./columns.ts";
import { type ReadRole, type RecordedStatement, type Recording, readRoles, type SourceExtent } from "./recording.ts";

/** A recording with the indices that questions need. They are made when first asked for. */
export type OpenRecording = {
  readonly recording: Recording;
  readonly length: number;
  /** The steps of an execution, in order. */
  stepsOf(execution: number): Int32Array;
  /** The executions of a statement, in order. */
  executionsOf(statement: number): Int32Array;
  /** The executions of an activation, in order, without those of the functions that it calls. */
  executionsIn(activation: number): Int32Array;
  /** The cells that a step wrote, without the parameters of the functions that it calls. */
  cellsOf(step: number): readonly number[];
  /** The cells that the steps of an activation wrote, each with the first step that did. */
  writtenIn(activation: number): ReadonlyMap<number, number>;
  /** The steps that read what a step wrote. */
  readersOf(step: number): Int32Array;
  /** The steps that wrote a cell, or made its value unknown. */
  writesOf(cell: number): Int32Array;
  /** What a step wrote into a cell: an index in `values`, 0 if it is not known. */
  writtenInto(cell: number, step: number): number;
  /** What a step wrote besides its own cell. */
  effectsOf(step: number): readonly { readonly cell: number; readonly value: number }[];
  /** The activations that a call began. */
  calledBy(step: number): Int32Array;
  /** The first and the last step of an activation, with all that it calls. */
  spanOf(activation: number): readonly [first: number, last: number];
  depthOf(activation: number): number;
};

export function openRecording(recording: Recording): OpenRecording {
  const { steps, executions, activations, reads, statements, cells, effects } = recording;
  const length = steps.place.length;
  const byExecution = lazyGroups(() => groupsOf(steps.execution, executions.statement.length));
  const byStatement = lazyGroups(() => groupsOf(executions.statement, statements.length));
  const byActivation = lazyGroups(() => groupsOf(executions.activation, activations.function.length));
  const byCell = lazyGroups(() => groupsOf(steps.cell, cells.length));
  const effectsByCell = lazyGroups(() => groupsOf(effects.cell, cells.length));
  const effectsByStep = lazyGroups(() => groupsOf(effects.step, length));
  const byWriter = lazyGroups(() => groupsOf(reads.writer, length));
  const byCall = lazyGroups(() => groupsOf(activations.call, length));
  let owners: Int32Array | null = null;
  let spans: readonly [Int32Array, Int32Array] | null = null;
  let depths: Int32Array | null = null;
  let written: { readonly activation: number; readonly cells: ReadonlyMap<number, number> } | null = null;
  const cellsOf = (step: number): readonly number[] => {
    const own = steps.cell[step] ?? 0;
    const further = effectsByStep(step);
    if (further.length === 0) return own === 0 ? [] : [own];
    const isParameter = (cell: number) => activations.call[recording.cellOwners[cell] ?? -1] === step;
    const all = new Set([own, ...further.map((each) => effects.cell[each] ?? 0)]);
    return [...all].filter((cell) => cell !== 0 && !isParameter(cell));
  };
  return {
    recording,
    length,
    cellsOf,
    stepsOf: byExecution,
    executionsOf: byStatement,
    executionsIn: byActivation,
    writtenIn(activation) {
      if (written?.activation !== activation)
        written = { activation, cells: cellsWrittenIn(byActivation(activation), byExecution, cellsOf) };
      return written.cells;
    },
    writesOf(cell) {
      const further = effectsByCell(cell);
      if (further.length === 0) return byCell(cell);
      return Int32Array.from(new Set([...byCell(cell), ...further.map((each) => effects.step[each] ?? 0)])).sort();
    },
    writtenInto(cell, step) {
      if (steps.cell[step] === cell) return steps.value[step] ?? 0;
      const found = effectsByCell(cell).findLast((each) => effects.step[each] === step);
      return found === undefined ? 0 : (effects.value[found] ?? 0);
    },
    effectsOf: (step) =>
      Array.from(effectsByStep(step), (each) => ({ cell: effects.cell[each] ?? 0, value: effects.value[each] ?? 0 })),
    calledBy: byCall,
    readersOf(step) {
      owners ??= readOwners(steps.firstRead, reads.writer.length);
      const found = byWriter(step).map((read) => owners?.[read] ?? 0);
      return found.filter((reader, i) => i === 0 || reader !== found[i - 1]);
    },
    spanOf(activation) {
      spans ??= spansOf(recording);
      return [spans[0][activation] ?? 0, spans[1][activation] ?? 0];
    },
    depthOf(activation) {
      depths ??= depthsOf(recording);
      return depths[activation] ?? 0;
    },
  };
}

/** For each key from 0 the indices with this key, in order: two columns instead of a list each. */
function groupsOf(keys: Int32Array, count: number): { readonly starts: Int32Array; readonly members: Int32Array } {
  const starts = new Int32Array(count + 1);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? -1;
    if (key >= 0) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
  }
  for (let key = 0; key < count; key++) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const next = starts.slice();
  const members = new Int32Array(starts[count] ?? 0);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? -1;
    if (key < 0) continue;
    const at = next[key] ?? 0;
    members[at] = i;
    next[key] = at + 1;
  }
  return { starts, members };
}

function lazyGroups(make: () => ReturnType<typeof groupsOf>): (key: number) => Int32Array {
  let groups: ReturnType<typeof groupsOf> | null = null;
  return (key) => {
    groups ??= make();
    return groups.members.subarray(groups.starts[key] ?? 0, groups.starts[key + 1] ?? 0);
  };
}

function spansOf({ steps, activations }: Recording): readonly [Int32Array, Int32Array] {
  const count = activations.function.length;
  const first = new Int32Array(count).fill(-1);
  const last = new Int32Array(count).fill(-1);
  for (let step = 0; step < steps.place.length; step++) {
    const activation = steps.activation[step] ?? 0;
    if (first[activation] === -1) first[activation] = step;
    last[activation] = step;
  }
  // Calls come after their callers: the last one of a callee belongs to the caller, too.
  for (let activation = count - 1; activation >= 0; activation--) {
    const call = activations.call[activation] ?? -1;
    const caller = call < 0 ? -1 : (steps.activation[call] ?? -1);
    if (caller >= 0 && (last[caller] ?? -1) < (last[activation] ?? -1)) last[caller] = last[activation] ?? -1;
  }
  return [first, last];
}

function cellsWrittenIn(
  executions: Int32Array,
  stepsOf: (execution: number) => Int32Array,
  cellsOf: (step: number) => readonly number[],
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const execution of executions)
    for (const step of stepsOf(execution))
      for (const cell of cellsOf(step)) if (!found.has(cell)) found.set(cell, step);
  return found;
}

function depthsOf({ steps, activations }: Recording): Int32Array {
  const depths = new Int32Array(activations.function.length);
  for (let activation = 0; activation < depths.length; activation++) {
    const call = activations.call[activation] ?? -1;
    const caller = call < 0 ? -1 : (steps.activation[call] ?? -1);
    depths[activation] = caller >= 0 && caller < activation ? (depths[caller] ?? 0) + 1 : 0;
  }
  return depths;
}

/** The index of the last element that is at most `limit`, -1 for none. */
export function lastAtMost(sorted: { readonly length: number; readonly [i: number]: number }, limit: number): number {
  return lastBelow(sorted.length, (i) => (sorted[i] ?? 0) <= limit);
}

/** The same for executions, by their first steps: they are in this order. */
export function lastStarted({ recording }: OpenRecording, executions: Int32Array, step: number): number {
  const { firstStep } = recording.executions;
  return lastBelow(executions.length, (i) => (firstStep[executions[i] ?? 0] ?? 0) <= step);
}

function lastBelow(length: number, isBelow: (i: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The last execution of a statement in a call that began up to a step; -1 for none. */
export function lastInCall(open: OpenRecording, statement: number, activation: number, step: number): number {
  const { executions } = open.recording;
  const all = open.executionsOf(statement);
  const [first] = open.spanOf(activation);
  for (let i = lastStarted(open, all, step); i >= 0; i--) {
    const execution = all[i] ?? 0;
    if (executions.activation[execution] === activation) return execution;
    // Those before belong to earlier calls.
    if ((executions.firstStep[execution] ?? 0) < first) return -1;
  }
  return -1;
}

/** The statements that begin on a line; if none does, those that it is a part of. */
export function statementsOn({ statements }: Recording, file: number, line: number): readonly number[] {
  const on = statements.flatMap((own, i) => (own.file === file && line >= own.at[0] && line <= own.at[2] ? [i] : []));
  const begun = on.filter((i) => statements[i]?.at[0] === line);
  return begun.length > 0 ? begun : on;
}

/** True if a position is inside of an extent. */
export function contains([line, column, endLine, endColumn]: SourceExtent, atLine: number, atColumn: number): boolean {
  if (atLine < line || atLine > endLine) return false;
  return (atLine > line || atColumn >= column) && (atLine < endLine || atColumn < endColumn);
}

export function isInside(inner: SourceExtent, outer: SourceExtent): boolean {
  return (
    contains(outer, inner[0], inner[1]) && (inner[2] < outer[2] || (inner[2] === outer[2] && inner[3] <= outer[3]))
  );
}

/** The statements around one, innermost first. */
export function enclosing(recording: Recording, statement: number): readonly number[] {
  const own = recording.statements[statement];
  if (own === undefined) return [];
  const found: number[] = [];
  for (const [i, other] of recording.statements.entries())
    if (i !== statement && isAround(other, own) && !isSame(other.whole, own.whole)) found.push(i);
  return found.sort((a, b) => sizeOfExtent(recording, a) - sizeOfExtent(recording, b));
}

function isAround(outer: RecordedStatement, inner: RecordedStatement): boolean {
  return outer.file === inner.file && outer.function === inner.function && isInside(inner.at, outer.whole);
}

function isSame(a: SourceExtent, b: SourceExtent): boolean {
  return a.every((each, i) => each === b[i]);
}

function sizeOfExtent({ statements }: Recording, index: number): number {
  const [line, column, endLine, endColumn] = statements[index]?.whole ?? [0, 0, 0, 0];
  return (endLine - line) * 1000 + endColumn - column;
}

export function readRolesOf({ reads }: Recording, read: number): ReadRole {
  return readRoles[reads.role[read] ?? 0] ?? "data";
}
