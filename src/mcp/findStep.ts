import { resolve } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import type { Explanation } from "../commands/explain/result.ts";
import { variablesAt } from "../recording/names.ts";
import { nearestOnLine, stepOfNode } from "../recording/navigate.ts";
import { lastAtMost, type OpenRecording } from "../recording/openRecording.ts";
import { cutText, stepName } from "../render/recordingText.ts";
import { callError } from "./parameters.ts";
import type { OpenRun, RecordedRun, Session } from "./session.ts";

/** What a call names of a run: a step, a line, a variable, or some of them together. */
export type AskedPlace = {
  readonly step: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly variable: string | null;
};

/** The recording of a run; without one there are no further questions. */
export function recordingOfRun(id: string, { recorded }: OpenRun): RecordedRun {
  if (recorded !== null) return recorded;
  throw new TracefoldError({
    code: "TF106",
    message: `nothing was recorded of run ${id}: it does not fail, or the time was up before`,
    help: "Call explain again; if it does fail, let the user start the server with a larger --timeout.",
  });
}

/** The step that a place names; without any the end of the run. */
export function stepOf(session: Session, id: string, run: OpenRun, asked: AskedPlace): number {
  const recorded = recordingOfRun(id, run);
  const { open } = recorded;
  const near = asked.step === null ? endOfRun(open, run.explanation) : numberOf(open, asked.step);
  const at = asked.line === null ? near : onLine(open, fileOf(session, open, asked.file), asked.line, near);
  return asked.variable === null ? at : writerOf(recorded, asked.variable, at);
}

/** The cell of a variable at a step, or the one that the step writes; null if there is none. */
export function cellOf(id: string, run: OpenRun, variable: string | null, step: number): number | null {
  const { open, names } = recordingOfRun(id, run);
  const { steps } = open.recording;
  const named = variable === null ? null : names.cellOf(variable, steps.activation[step] ?? 0, step);
  if (named !== null) return named;
  const written = variable === null ? step : writerOf({ open, names }, variable, step);
  const cell = steps.cell[written] ?? 0;
  return cell === 0 ? null : cell;
}

/** The cells that have a name, whoever they belong to. */
export function cellsNamed(open: OpenRecording, name: string): readonly number[] {
  const found = open.recording.cells.flatMap((each, cell) => (each === name ? [cell] : []));
  return found.filter((cell) => open.writesOf(cell).length > 0);
}

/** The number of a file in the recording. Without a name it is the only one, or an error. */
export function fileOf({ workspace: { root } }: Session, { recording: { files } }: OpenRecording, name: string | null) {
  const found =
    name === null
      ? files.length === 1
        ? 0
        : -1
      : files.findIndex((file) => resolve(root, file) === resolve(root, name));
  if (found !== -1) return found;
  throw callError(
    name === null ? '"file" is missing: the run has several' : `${name} is no file of this run`,
    `Its files are ${files.slice(0, mostNamed).join(", ")}${files.length > mostNamed ? ", …" : ""}.`,
  );
}

const mostNamed = 12;

function numberOf(open: OpenRecording, id: string): number {
  const step = /^s(\d+)$/.exec(id)?.[1];
  if (step !== undefined && Number(step) < open.length) return Number(step);
  throw callError(
    `there is no step "${cutText(id, 40)}": this run has s0 to s${open.length - 1}`,
    "Steps are named by explain, why and history.",
  );
}

/** The step of the failure: that of the node which leads to it at once, else the last one. */
function endOfRun(open: OpenRecording, explanation: Explanation): number {
  if (explanation.kind !== "explained") return open.length - 1;
  const nodes = explanation.graph.nodes.filter(({ next }) => next?.node === null);
  return stepOfNode(open, nodes.at(-1)?.steps ?? []) ?? open.length - 1;
}

function onLine(open: OpenRecording, file: number, line: number, near: number): number {
  const step = nearestOnLine(open, file, line, near);
  if (step !== null) return step;
  throw callError(
    `line ${line} of ${open.recording.files[file]} was not executed`,
    'Ask why not: {"not": true} with the same file and line.',
  );
}

/** The last step up to another one that wrote a variable: that of the call there, else any with this name. */
function writerOf({ open, names }: RecordedRun, name: string, at: number): number {
  const own = names.valueOf(name, open.recording.steps.activation[at] ?? 0, at);
  if (own !== null && own.step >= 0) return own.step;
  const writers = cellsNamed(open, name).flatMap((cell) => {
    const writes = open.writesOf(cell);
    return writes[lastAtMost(writes, at)] ?? [];
  });
  if (writers.length > 0) return Math.max(...writers);
  const known = variablesAt(open, at).map((each) => each.name);
  throw callError(
    `nothing called "${cutText(name, 60)}" was written before ${stepName(at)}`,
    known.length === 0
      ? "Ask about a line or a step."
      : `Known there: ${known.slice(0, mostNamed).join(", ")}${known.length > mostNamed ? ", …" : ""}.`,
  );
}
