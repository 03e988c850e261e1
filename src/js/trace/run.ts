import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packRecording, unpackRecording } from "../../recording/columns.ts";
import type { TraceSite } from "./instrument/rewriter.ts";
import type { TraceQuestion } from "./question.ts";
import type { RawRecording } from "./rawRecording.ts";
import type { TraceSlice } from "./slice.ts";

/** What the failing test left in the temporary folder: the question, and the events that lead to it. */
export type TraceRun = {
  readonly test: string;
  readonly question: TraceQuestion;
  /** The first line of the error's message. */
  readonly error: string;
  readonly slice: TraceSlice;
  /** Statements that the whole run executed. */
  readonly steps: number;
  /** True if the oldest events of the run were given up. */
  readonly isCut: boolean;
};

/** A source file of the project as the recorder loaded it. */
export type TracedFile = {
  readonly path: string;
  readonly isTest: boolean;
  /** The number of its first site; sites of a file follow each other. */
  readonly first: number;
  readonly sites: readonly TraceSite[];
  /** Why it was loaded unchanged; null if it was followed. */
  readonly unfollowed: string | null;
};

/** More sites than any file has. */
export const sitesPerFile = 2 ** 20;

export type TraceOptions = {
  readonly folder: string;
  /** The name of the failing test. */
  readonly test: string;
  /** True if it does not end by itself. */
  readonly isEndless: boolean;
  /** True if the whole run is wanted, not only what led to the failure. */
  readonly keepsAll: boolean;
};

/** The number of the file that contains a site. */
export function fileOfSite(site: number): number {
  return Math.floor(site / sitesPerFile);
}

const filePrefix = "sites-";
const runName = "trace.json";
const recordingName = "recording.json";
const recordingBytes = "recording.bin";

export function writeTracedFile(folder: string, file: TracedFile): void {
  writeFileSync(join(folder, `${filePrefix}${fileOfSite(file.first)}.json`), JSON.stringify(file));
}

export function readTracedFiles(folder: string): readonly TracedFile[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(filePrefix))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as TracedFile);
}

/** The file of a site, for messages of the runtime; null if it is unknown. */
export function readTracedFile(folder: string, site: number): TracedFile | null {
  const path = join(folder, `${filePrefix}${fileOfSite(site)}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as TracedFile) : null;
}

export function writeTraceRun(folder: string, run: TraceRun): void {
  writeFileSync(join(folder, runName), JSON.stringify(run));
}

/** Null if the test did not fail while it was recorded. */
export function readTraceRun(folder: string): TraceRun | null {
  const path = join(folder, runName);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as TraceRun) : null;
}

/** Writes the whole run. */
export function writeRawRecording(folder: string, { sites, recording }: RawRecording): void {
  const { head, bytes } = packRecording(recording);
  writeFileSync(join(folder, recordingBytes), bytes);
  writeFileSync(join(folder, recordingName), JSON.stringify({ sites, head }));
}

/** Null if it was not kept. */
export function readRawRecording(folder: string): RawRecording | null {
  const path = join(folder, recordingName);
  if (!existsSync(path)) return null;
  const { sites, head } = JSON.parse(readFileSync(path, "utf8"));
  return { sites, recording: unpackRecording({ head, bytes: readFileSync(join(folder, recordingBytes)) }) };
}
