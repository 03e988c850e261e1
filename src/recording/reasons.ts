import { cellName, lastOfEach, type MomentValue, readsAt, statementAt, valueOfStep } from "./moment.ts";
import { type OpenRecording, readRolesOf } from "./openRecording.ts";
import { beforeTheWindow } from "./recording.ts";

export type ReasonKind = "data" | "identity" | "omission" | "control" | "call";

/** One reason of a step: another step, or what was there before the run. */
export type Reason = {
  readonly kind: ReasonKind;
  /** Below 0 for what no recorded step did. */
  readonly step: number;
  /** What was read, with its value; empty for conditions and calls. */
  readonly name: string;
  readonly value: string;
};

/** Why a step happened as it did: what it read, and the condition or call that caused it. */
export function reasonsOf(open: OpenRecording, step: number): readonly Reason[] {
  const { steps, reads, places, values } = open.recording;
  const place = places[steps.place[step] ?? 0];
  const found: Reason[] = [];
  for (let read = steps.firstRead[step] ?? 0; read < (steps.firstRead[step + 1] ?? 0); read++) {
    const writer = reads.writer[read] ?? beforeTheWindow;
    const named = place?.reads[reads.part[read] ?? -1]?.text ?? (writer >= 0 ? nameOfStep(open, writer) : "");
    const reason: Reason = {
      kind: readRolesOf(open.recording, read),
      step: writer,
      name: named,
      value: values[reads.value[read] ?? 0] ?? "",
    };
    if (!found.some((other) => isSameReason(other, reason))) found.push(reason);
  }
  const control = steps.control[step] ?? -1;
  if (control >= 0) {
    const isCall = places[steps.place[control] ?? 0]?.kind === "call";
    found.push({ kind: isCall ? "call" : "control", step: control, name: "", value: "" });
  }
  return found;
}

function isSameReason(a: Reason, b: Reason): boolean {
  return a.step === b.step && a.kind === b.kind && a.name === b.name;
}

/** The reasons of one value: those inside of the same execution give way to their own. */
export function reasonsOfValue(open: OpenRecording, step: number): readonly Reason[] {
  const execution = open.recording.steps.execution[step] ?? -1;
  const found: Reason[] = [];
  const seen = new Set<number>();
  const add = (at: number): void => {
    if (seen.has(at)) return;
    seen.add(at);
    for (const reason of reasonsOf(open, at)) {
      const isInside = execution >= 0 && reason.step >= 0 && open.recording.steps.execution[reason.step] === execution;
      if (isInside) add(reason.step);
      else if (!found.some((other) => isSameReason(other, reason))) found.push(reason);
    }
  };
  add(step);
  return found;
}

/** All reasons of an execution of a statement, without those inside of it. */
export function reasonsOfExecution(open: OpenRecording, execution: number): readonly Reason[] {
  const own = open.stepsOf(execution);
  const inside = new Set(own);
  const found: Reason[] = [];
  for (const step of own)
    for (const reason of reasonsOf(open, step))
      if (!inside.has(reason.step) && !found.some((other) => isSameReason(other, reason))) found.push(reason);
  return found;
}

/** The step that made a value, behind the statements that only handed it on. */
export function skipCopies(open: OpenRecording, step: number): number {
  let at = step;
  for (let hops = 0; hops < mostHops; hops++) {
    const data = reasonsOf(open, at).filter(({ kind }) => kind === "data");
    const [only] = data;
    if (only === undefined || data.length !== 1 || only.step < 0 || only.value !== valueText(open, at)) return at;
    at = only.step;
  }
  return at;
}

const mostHops = 10_000;

export function valueText({ recording: { steps, values } }: OpenRecording, step: number): string {
  return values[steps.value[step] ?? 0] ?? "";
}

/** What a step wrote, or its source text. */
export function nameOfStep(open: OpenRecording, step: number): string {
  const { steps, places } = open.recording;
  return cellName(open.recording, step) || places[steps.place[step] ?? 0]?.name || "";
}

/** One step in a line of text: the statement with what it read and wrote. */
export type DescribedStep = {
  readonly step: number;
  readonly statement: number;
  readonly wrote: readonly MomentValue[];
  readonly read: readonly MomentValue[];
};

export function describeStep(open: OpenRecording, step: number): DescribedStep {
  const execution = open.recording.steps.execution[step] ?? -1;
  const own = execution < 0 ? [step] : [...open.stepsOf(execution)];
  const wrote = lastOfEach(own.flatMap((each) => valueOfStep(open, each)));
  const names = new Set<string>();
  const read = own
    .flatMap((each) => readsAt(open, each))
    .filter(({ name }) => !names.has(name) && names.add(name) !== undefined);
  return { step, statement: statementAt(open, step), wrote, read };
}
