import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { TracefoldError } from "../base/errors.ts";
import type { Breakpoint } from "./breakpoints.ts";
import type { Client } from "./connection.ts";
import type { Debugger, Stop } from "./debugger.ts";
import type { LaunchSettings, RunningLaunch } from "./launch.ts";
import { framesAt, type ShownVariable } from "./variables.ts";

/** A recorded run has one thread. */
export const threadId = 1;

/** What the requests of a session share. */
export class SessionState {
  readonly client: Client;
  settings: LaunchSettings = {};
  launch: RunningLaunch | null = null;
  showsProgress = false;
  /** What clients count from 1 here; some count from 0. */
  firstLine = 1;
  firstColumn = 1;
  /** By source, and for functions and data. */
  readonly breakpoints = new Map<string, readonly Breakpoint[]>();
  nextBreakpoint = 1;
  #debugger: Debugger | null = null;
  /** Lists of variables, by number; they are valid until the run stops elsewhere. */
  #lists: (readonly ShownVariable[])[] = [];

  constructor(client: Client) {
    this.client = client;
  }

  get debug(): Debugger {
    if (this.#debugger !== null) return this.#debugger;
    throw new TracefoldError({ code: "TF130", message: "nothing is recorded yet: launch first" });
  }

  set debug(opened: Debugger) {
    this.#debugger = opened;
  }

  /** Tells the client where the run stands now, when the current request was answered. */
  stopped({ reason, text, breakpoints }: Stop): void {
    this.#lists = [];
    const shown = text === null ? {} : { text, description: text };
    const hit = breakpoints.length === 0 ? {} : { hitBreakpointIds: breakpoints };
    this.client.afterwards(() =>
      this.client.send("stopped", { reason, threadId, allThreadsStopped: true, ...shown, ...hit }),
    );
  }

  list(variables: readonly ShownVariable[]): number {
    return variables.length === 0 ? 0 : this.#lists.push(variables);
  }

  listed(number: number): readonly ShownVariable[] {
    return this.#lists[number - 1] ?? [];
  }

  /** The call of a frame; frames are numbered from the innermost one. */
  activationOf(frameId = 0): number {
    const { run, position } = this.debug;
    return framesAt(run.timeline, position())[frameId]?.activation ?? 0;
  }

  /** The number of a file of the run; -1 for others. */
  fileOf({ path, name }: DebugProtocol.Source): number {
    const wanted = resolve(path ?? name ?? "");
    return this.debug.run.timeline.open.recording.files.findIndex((file) => resolve(file) === wanted);
  }

  /** A file that is not there, such as a header of the tool, is asked for by its number. */
  sourceOf(file: number): DebugProtocol.Source {
    const path = this.debug.run.timeline.open.recording.files[file] ?? "";
    const absolute = resolve(path);
    if (existsSync(absolute)) return { name: basename(path), path: absolute };
    return { name: path, sourceReference: file + 1 };
  }

  toClientLine(line: number): number {
    return line - 1 + this.firstLine;
  }

  fromClientLine(line: number): number {
    return line + 1 - this.firstLine;
  }

  toClientColumn(column: number): number {
    return column - 1 + this.firstColumn;
  }
}
