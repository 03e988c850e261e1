import { resolve } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import type { Explanation } from "../commands/explain/result.ts";
import { variablesAt } from "../recording/moment.ts";
import { nearestOnLine, stepOfNode } from "../recording/navigate.ts";
import { lastAtMost, type OpenRecording } from "../recording/openRecording.ts";
import { callError } from "./parameters.ts";
import { cellsNamed, cut } from "./places.ts";
import type { OpenRun, Session } from "./session.ts";

/** What a call names of a run: a step, a line, a variable, or some of them together. */
export type AskedPlace = {
  readonly step: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly variable: string | null;
};

/** The recording of a run; without one there are no further questions. */
export function recordingOfRun(id: string, { open }: OpenRun): OpenRecording {
  if (open !== null) return open;
  throw new TracefoldError({
    code: "TF106",
    message: `nothing was recorded of run ${id}: it does not fail, or the time was up before`,
    help: "Call explain again; if it does fail, let the user start the server with a larger --timeout.",
  });
}

/** The step that a place names; without any the end of the run. */
export function stepOf(session: Session, open: OpenRecording, { explanation }: OpenRun, asked: AskedPlace): number {
  const near = asked.step === null ? endOfRun(open, explanation) : numberOf(open, asked.step);
  const at = asked.line === null ? near : onLine(open, fileOf(session, open, asked.file), asked.line, near);
  return asked.variable === null ? at : writerOf(open, asked.variable, at);
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
    `there is no step "${cut(id, 40)}": this run has s0 to s${open.length - 1}`,
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

/** The last step up to another one that wrote a variable: that of the function there, else any with this name. */
function writerOf(open: OpenRecording, name: string, at: number): number {
  const own = variablesAt(open, at).find((each) => each.name === name);
  if (own !== undefined && own.step >= 0) return own.step;
  const writers = cellsNamed(open, name).flatMap((cell) => {
    const writes = open.writesOf(cell);
    return writes[lastAtMost(writes, at)] ?? [];
  });
  if (writers.length > 0) return Math.max(...writers);
  const names = variablesAt(open, at).map((each) => each.name);
  throw callError(
    `nothing called "${cut(name, 60)}" was written before s${at}`,
    names.length === 0
      ? "Ask about a line or a step."
      : `Known there: ${names.slice(0, mostNamed).join(", ")}${names.length > mostNamed ? ", …" : ""}.`,
  );
}
