import { lastAtMost, lastInCall, lastStarted, type OpenRecording, readRolesOf } from "./openRecording.ts";
import type { SourceExtent } from "./recording.ts";

/** One value that a statement wrote, tested or returned. */
export type MomentValue = {
  readonly step: number;
  readonly kind: "written" | "tested" | "returned" | "passed" | "read";
  readonly name: string;
  readonly value: string;
  /** The cell that was written, if a step may write several ones. */
  readonly cell?: number;
  readonly at: SourceExtent | null;
};

/** What the source shows at a step: the place, the active calls, and the values of the current function's lines. */
export type Moment = {
  readonly step: number;
  readonly statement: number;
  readonly function: number;
  readonly activation: number;
  /** The active calls, innermost first: where each function is. */
  readonly stack: readonly StackEntry[];
};

export type StackEntry = {
  readonly activation: number;
  readonly function: number;
  readonly statement: number;
  readonly step: number;
};

export function momentAt(open: OpenRecording, step: number): Moment {
  const { steps, activations } = open.recording;
  const activation = steps.activation[step] ?? 0;
  const stack: StackEntry[] = [];
  for (let at = step, current = activation; at >= 0 && stack.length < mostFrames; ) {
    stack.push({
      activation: current,
      function: activations.function[current] ?? 0,
      statement: statementAt(open, at),
      step: at,
    });
    at = activations.call[current] ?? -1;
    current = at < 0 ? current : (steps.activation[at] ?? 0);
  }
  return {
    step,
    statement: statementAt(open, step),
    function: activations.function[activation] ?? 0,
    activation,
    stack,
  };
}

const mostFrames = 200;

/** The statement of a step; of a step without one that of the last step of its function that has one. */
export function statementAt({ recording: { steps, executions, places } }: OpenRecording, step: number): number {
  const activation = steps.activation[step] ?? 0;
  for (let at = step; at >= 0 && at > step - nearby; at--) {
    if (steps.activation[at] !== activation) continue;
    const execution = steps.execution[at] ?? -1;
    const found = execution < 0 ? -1 : (executions.statement[execution] ?? -1);
    if (found >= 0) return found;
    const own = places[steps.place[at] ?? 0]?.statement ?? -1;
    if (own >= 0) return own;
  }
  return -1;
}

const nearby = 1000;

/** The values of each statement of a call as they are at a step: those of its last execution up to there. */
export function valuesAt(open: OpenRecording, step: number): ReadonlyMap<number, readonly MomentValue[]> {
  const activation = open.recording.steps.activation[step] ?? 0;
  const found = new Map<number, readonly MomentValue[]>();
  for (const [statement, execution] of lastOfStatements(open, activation, step)) {
    const values = valuesOf(open, execution);
    found.set(
      statement,
      values.filter((value) => isKnown(open, value.step, step)),
    );
  }
  return found;
}

/** The last execution of each statement of a call up to a step. */
function lastOfStatements(open: OpenRecording, activation: number, step: number): ReadonlyMap<number, number> {
  const { activations, statements } = open.recording;
  const found = new Map<number, number>();
  for (const [statement, { function: fn }] of statements.entries()) {
    if (fn !== activations.function[activation]) continue;
    const execution = lastInCall(open, statement, activation, step);
    if (execution >= 0) found.set(statement, execution);
  }
  return found;
}

/** A call of millions of executions shows those near the step. */
const mostExecutions = 4_000;

/** True if a step is over at another one: a call is when what it called has ended. */
function isKnown(open: OpenRecording, step: number, at: number): boolean {
  if (step > at) return false;
  return open.calledBy(step).every((activation) => open.spanOf(activation)[1] < at);
}

/** What one execution of a statement wrote, tested and returned; of conditions what they read, too. */
export function valuesOf(open: OpenRecording, execution: number): readonly MomentValue[] {
  const { steps, places } = open.recording;
  const isCondition = (step: number) => places[steps.place[step] ?? 0]?.kind === "condition";
  const values = [...open.stepsOf(execution)].flatMap((step) => [
    ...(isCondition(step) ? readsAt(open, step).filter((read) => read.step >= 0 && !read.isPlace) : []),
    ...valueOfStep(open, step),
  ]);
  const written = new Set(values.filter(({ kind }) => kind === "written").map(({ name }) => name));
  return lastOfEach(values.filter(({ kind, name }) => kind !== "read" || !written.has(name)));
}

/** Without values that a later one of the same place replaced. */
export function lastOfEach(values: readonly MomentValue[]): readonly MomentValue[] {
  const key = ({ kind, name }: MomentValue) => `${kind} ${name}`;
  const last = new Map(values.map((value) => [key(value), value]));
  return values.filter((value) => last.get(key(value)) === value);
}

export function valueOfStep(open: OpenRecording, step: number): readonly MomentValue[] {
  const { steps } = open.recording;
  const further = open.cellsOf(step).filter((cell) => cell !== steps.cell[step]);
  return [...ownValueOf(open, step), ...further.flatMap((cell) => valueInto(open, cell, step))];
}

/** What a step that writes several cells wrote into one of them. */
function valueInto(open: OpenRecording, cell: number, step: number): readonly MomentValue[] {
  const { cells, values } = open.recording;
  const [name = "", value = ""] = [cells[cell], values[open.writtenInto(cell, step)]];
  return name === "" || value === "" ? [] : [{ step, kind: "written", name, value, cell, at: null }];
}

function ownValueOf({ recording }: OpenRecording, step: number): readonly MomentValue[] {
  const { steps, places, values } = recording;
  const value = values[steps.value[step] ?? 0] ?? "";
  const place = places[steps.place[step] ?? 0];
  if (value === "" || place === undefined) return [];
  const name = cellName(recording, step) || place.name;
  switch (place.kind) {
    case "write":
    case "input":
    case "library":
    case "parameter":
      return name === "" ? [] : [{ step, kind: "written", name, value, at: place.at }];
    case "condition":
      return [{ step, kind: "tested", name: place.name, value, at: place.at }];
    case "call":
      return place.target === undefined ? [] : [{ step, kind: "written", name: place.target, value, at: place.at }];
    case "return":
      return [{ step, kind: "returned", name: place.name, value, at: place.at }];
    default:
      return [];
  }
}

/** The cell that a step wrote, `s->items[2]`; empty if it wrote none. */
export function cellName({ steps, cells }: OpenRecording["recording"], step: number): string {
  return cells[steps.cell[step] ?? 0] ?? "";
}

/** The values that a step read, in the order of the source; those that only say which place it is are marked. */
export function readsAt(open: OpenRecording, step: number): readonly (MomentValue & { readonly isPlace: boolean })[] {
  const { steps, reads, places, values } = open.recording;
  const place = places[steps.place[step] ?? 0];
  const found: (MomentValue & { readonly isPlace: boolean })[] = [];
  for (let read = steps.firstRead[step] ?? 0; read < (steps.firstRead[step + 1] ?? 0); read++) {
    const part = place?.reads[reads.part[read] ?? -1];
    const value = values[reads.value[read] ?? 0] ?? "";
    if (part === undefined || value === "") continue;
    const writer = reads.writer[read] ?? -1;
    const cell = cellRead(open, read, part.text);
    const isPlace = readRolesOf(open.recording, read) === "identity";
    found.push({ step: writer, kind: "read", name: part.text, value, cell, at: part.at, isPlace });
  }
  return found;
}

/** The cell that was read; 0 if its writer wrote several ones and it is not known which one. */
export function cellRead(open: OpenRecording, read: number, text: string): number {
  const { reads, cells } = open.recording;
  const writer = reads.writer[read] ?? -1;
  if (writer < 0) return 0;
  const written = [...open.cellsOf(writer), ...open.effectsOf(writer).map(({ cell }) => cell)];
  if (written.length < 2) return written[0] ?? 0;
  const same = written.filter((cell) => open.writtenInto(cell, writer) === reads.value[read]);
  return written.find((cell) => cells[cell] === text) ?? (same.length === 1 ? (same[0] ?? 0) : 0);
}

/** What a cell is called in a call: in that of its owner, a variable has its own name. */
export function nameOfCell({ recording }: OpenRecording, cell: number, activation: number): string {
  const owner = recording.cellOwners[cell] ?? noCall;
  const own = owner === activation || owner === noCall ? (recording.ownNames[cell] ?? "") : "";
  return own === "" ? (recording.cells[cell] ?? "") : own;
}

/** The owner of cells that belong to no call. */
export const noCall = -1;

/**
 * The cells that a call wrote and the arguments that it got, with what they hold after a step, whoever wrote them last.
 * Not all of the names mean these cells then: see `NameTable.variablesOf`.
 */
export function cellsOfCall(open: OpenRecording, activation: number, step: number): readonly MomentValue[] {
  const { steps, places, values, activations, cellOwners, ownNames } = open.recording;
  const own = open.executionsIn(activation);
  const found = new Map<string, MomentValue>();
  const near = lastStarted(open, own, step) + 1;
  const recent = own
    .subarray(Math.max(0, near - mostExecutions), near)
    .slice()
    .reverse();
  /** Memory of no variable, which another call named, is called as in this one. */
  const nameThere = (cell: number, at: number): string => {
    const known = nameOfCell(open, cell, activation);
    const place = places[steps.place[at] ?? 0];
    const isNamedHere = cellOwners[cell] !== noCall || steps.activation[open.writesOf(cell)[0] ?? 0] === activation;
    const isPlain = place?.kind === "write" && steps.cell[at] === cell && !/\[\D/.test(place.name);
    return isNamedHere || !isPlain || steps.activation[at] !== activation ? known : place.name;
  };
  const isFull = (name: string) => name === "" || found.has(name) || found.size >= mostVariables;
  const addCell = (cell: number, at: number) => {
    const name = nameThere(cell, at);
    if (isFull(name)) return;
    const writes = open.writesOf(cell);
    const last = writes[lastAtMost(writes, step)] ?? at;
    const value = values[open.writtenInto(cell, last)] ?? "";
    if (value === "") return;
    found.set(name, { step: last, kind: "written", name, value, cell, at: places[steps.place[at] ?? 0]?.at ?? null });
  };
  const add = (at: number) => {
    const place = places[steps.place[at] ?? 0];
    const target = place?.kind === "call" && isKnown(open, at, step) ? place.target : undefined;
    if (target !== undefined) {
      const value = values[steps.value[at] ?? 0] ?? "";
      if (!isFull(target)) found.set(target, { step: at, kind: "written", name: target, value, at: place?.at ?? null });
    } else if (place?.kind !== "return") for (const cell of open.cellsOf(at)) addCell(cell, at);
  };
  for (const execution of [...recent, ...lastOfStatements(open, activation, step).values()])
    for (const at of open.stepsOf(execution)) if (at <= step) add(at);
  // Of a long call, cells that were written long ago, too.
  if (near > mostExecutions)
    for (const [cell, first] of open.writtenIn(activation)) if (first <= step) addCell(cell, first);
  // What others wrote into its variables.
  for (const [cell, name] of ownNames.entries())
    if (name !== "" && cellOwners[cell] === activation) {
      const [first] = open.writesOf(cell);
      if (first !== undefined && first <= step) addCell(cell, first);
    }
  const call = activations.call[activation] ?? -1;
  for (const { name, value, step: at } of call < 0 ? [] : argumentsOf(open, call, activation))
    if (!found.has(name)) found.set(name, { step: at, kind: "read", name, value, at: null });
  return [...found.values()].filter(({ value }) => value !== "").sort((a, b) => (a.name < b.name ? -1 : 1));
}

const mostVariables = 200;

export type NamedValue = { readonly name: string; readonly value: string; readonly step: number };

/** Parameters are what the callee read from the call, or what the call wrote into them. */
export function argumentsOf(open: OpenRecording, call: number, activation: number): readonly NamedValue[] {
  const { steps, reads, places, values } = open.recording;
  const found = new Map<string, NamedValue>();
  for (const { cell, value } of open.effectsOf(call)) {
    const name = open.recording.cells[cell] ?? "";
    if (open.recording.cellOwners[cell] === activation)
      found.set(name, { name, value: values[value] ?? "", step: call });
  }
  const executions = open.executionsIn(activation);
  const first = open.recording.executions.firstStep[executions[0] ?? -1] ?? call;
  for (let step = call; step < first; step++) {
    const place = places[steps.place[step] ?? 0];
    if (place?.kind !== "parameter") continue;
    const name = cellName(open.recording, step) || place.name;
    found.set(name, { name, value: values[steps.value[step] ?? 0] ?? "", step });
  }
  for (const execution of executions.subarray(0, mostExecutions)) {
    for (const step of open.stepsOf(execution)) {
      for (let read = steps.firstRead[step] ?? 0; read < (steps.firstRead[step + 1] ?? 0); read++) {
        if (reads.writer[read] !== call) continue;
        const name = places[steps.place[step] ?? 0]?.reads[reads.part[read] ?? -1]?.text;
        const value = values[reads.value[read] ?? 0] ?? "";
        if (name !== undefined && value !== "" && !found.has(name)) found.set(name, { name, value, step });
      }
    }
  }
  return [...found.values()];
}
