import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { decodeSource } from "../base/files.ts";
import type { Explanation, TextChange } from "../commands/explain/result.ts";
import type { InferReport } from "../commands/infer/result.ts";
import type { TryRequest } from "../commands/tryChange/command.ts";
import type { NameTable } from "../recording/names.ts";
import type { OpenRecording } from "../recording/openRecording.ts";
import type { ToolAnswer } from "./answer.ts";
import { createShelf, type Shelf } from "./shelf.ts";
import type { WorkQueue } from "./workQueue.ts";
import type { Workspace } from "./workspace.ts";

/** A run that was explained, open for further questions. */
export type OpenRun = {
  readonly explanation: Explanation;
  /** The texts of its files, by the paths that the explanation uses. */
  readonly sources: ReadonlyMap<string, string>;
  /** null if nothing was recorded. */
  readonly recorded: RecordedRun | null;
  readonly bytes: number;
  /** How its tests are run with a change. */
  readonly subject: TryRequest["subject"];
  /** The changes that the explanation proposes: `c1` is the first one. */
  readonly changes: readonly TextChange[];
};

export type RecordedRun = { readonly open: OpenRecording; readonly names: NameTable };

/** What the user allows when the server is started. */
export type SessionSettings = {
  readonly root: string;
  /** Commands that run tests, by name. The agent chooses a name. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
  readonly includeFolders: readonly string[];
  readonly defines: readonly string[];
  readonly seconds: number;
  /** The number of runs that stay open. */
  readonly openRuns: number;
};

/** The state behind the tools. */
export type Session = {
  readonly settings: SessionSettings;
  readonly workspace: Workspace;
  readonly queue: WorkQueue;
  readonly runs: Shelf<OpenRun>;
  readonly answers: Shelf<ToolAnswer>;
  readonly contracts: Shelf<InferReport>;
};

const mostRecordedBytes = 512 * 2 ** 20;
const mostAnswers = 50;
const mostContracts = 8;

export function openSession(settings: SessionSettings, workspace: Workspace, queue: WorkQueue): Session {
  return {
    settings,
    workspace,
    queue,
    runs: createShelf<OpenRun>({
      what: "run",
      prefix: "r",
      most: settings.openRuns,
      mostBytes: mostRecordedBytes,
      sizeOf: ({ bytes }) => bytes,
      help: "Call explain to open one.",
    }),
    answers: createShelf<ToolAnswer>({
      what: "answer",
      prefix: "a",
      most: mostAnswers,
      help: "Call the tool that gave it once more.",
    }),
    contracts: createShelf<InferReport>({
      what: "contracts",
      prefix: "k",
      most: mostContracts,
      help: "Call contracts to get some.",
    }),
  };
}

/** The words of a command that the user configured. */
export function commandOf({ settings: { commands } }: Session, name: string | null): readonly string[] {
  const [first] = commands.values();
  const found = name === null ? first : commands.get(name);
  if (found !== undefined) return found;
  throw new TracefoldError({
    code: "TF108",
    message: name === null ? "no command that runs tests is configured" : `no command is configured as "${name}"`,
    help:
      commands.size === 0
        ? 'The user starts the server with: tracefold mcp --test-command "npx vitest run". For a C program give "files".'
        : `There are: ${[...commands.keys()].join(", ")}.`,
  });
}

/** Fails if a file of a run is not what it was when the run was made. */
export function requireUnchanged({ workspace: { root } }: Session, id: string, { sources }: OpenRun): void {
  for (const [path, text] of sources) {
    if (path.startsWith("<") || isSame(resolve(root, path), text)) continue;
    throw new TracefoldError({
      code: "TF106",
      message: `${path} has changed since ${id} was recorded`,
      help: "Call explain again, and use the new run.",
    });
  }
}

function isSame(path: string, text: string): boolean {
  try {
    return digest(decodeSource(readFileSync(path))) === digest(text);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return false;
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
