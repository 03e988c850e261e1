import { Defect, TracefoldError } from "../base/errors.ts";
import type { SourceOutline } from "../c/outline.ts";
import { givenTo } from "../commands/command.ts";
import { explain } from "../commands/explain/command.ts";
import type { Explanation } from "../commands/explain/result.ts";
import type { InputValue } from "../interpreter/inputs.ts";
import type { DataModelName } from "../ir/type.ts";
import { plain } from "../render/layout.ts";
import { rebuildError } from "./message.ts";
import { startEngine } from "./startEngine.ts";

export type ExplainFileOptions = {
  /** Values of nondeterministic reads. Without them a failing run is searched if the program reads any. */
  readonly inputs?: readonly InputValue[];
  readonly stdin?: string | Uint8Array;
  readonly arguments?: readonly string[];
  /** The folder with the program's files; by default that of its first source file. */
  readonly files?: string;
  /** The expected output, exit code and files; anything else is a failure. */
  readonly expected?: {
    readonly stdout?: string | Uint8Array;
    readonly exit?: number;
    readonly files?: Readonly<Record<string, string | Uint8Array>>;
  };
  readonly entry?: string;
  readonly dataModel?: DataModelName;
  readonly includeFolders?: readonly string[];
  readonly defines?: readonly string[];
  /** True (the default) to search for a smaller failing run. */
  readonly shrink?: boolean;
  /** The time limit; after it the partial result is the answer. */
  readonly timeoutSeconds?: number;
  /** Cancels the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Receives the current phase: `loading`, `running`, `folding` and so on. */
  progress?(phase: string): void;
};

/** An explanation with the data needed to print it. */
export type ExplainedFile = {
  readonly explanation: Explanation;
  /** The texts of the program's files by path. */
  readonly sources: ReadonlyMap<string, string>;
  readonly outlines: ReadonlyMap<string, SourceOutline>;
};

/** Explains why a run of a program fails, in a separate thread. */
export async function explainFile(
  paths: string | readonly string[],
  options: ExplainFileOptions = {},
): Promise<ExplainedFile> {
  const { signal, timeoutSeconds } = options;
  signal?.throwIfAborted();
  const engine = startEngine(
    explain,
    requestOf(typeof paths === "string" ? [paths] : paths, options),
    undefined,
    (phase) => options.progress?.(phase),
  );
  const timer = timeoutSeconds === undefined ? null : setTimeout(engine.stop, 1000 * timeoutSeconds, "timeout");
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
  });
  try {
    const ending = await Promise.race([engine.ending, aborted]);
    if (ending.kind === "answer") return ending.answer;
    if (ending.kind === "error") throw rebuildError(ending.error);
    if (ending.known !== null) return ending.known;
    throw new TracefoldError({ code: "TF342", message: "the time limit was reached", help: "Allow more time." });
  } finally {
    signal?.removeEventListener("abort", abort);
    if (timer !== null) clearTimeout(timer);
    engine.end();
  }
}

export type ExplanationFormat = "text" | "json" | "sarif" | "witness" | "invariants";

/**
 * Prints an explanation like the command line; null if a format cannot express it. `all`: not only what fits on a
 * screen.
 */
export async function renderExplanation(
  explained: ExplainedFile,
  format: ExplanationFormat,
  { all = false }: { readonly all?: boolean } = {},
): Promise<string | null> {
  const render = explain.formats[format];
  if (render === undefined) throw new Defect(`explain has no format ${format}`);
  const { flags } = givenTo(explain, { words: [] });
  const printing = { flags: { ...flags, all }, request: requestOf(["program.c"], {}), paint: plain };
  const text = await render({ ...explained, recording: null, isComplete: false, exported: null, fix: null }, printing);
  return typeof text === "string" ? text : null;
}

type Request = ReturnType<typeof explain.request>;

/** The same request as the command line's, with data in place of files. */
function requestOf(files: readonly string[], options: ExplainFileOptions): Request {
  const { entry, dataModel, files: filesFolder, includeFolders, defines } = options;
  const given = givenTo(explain, {
    words: files,
    programArguments: options.arguments ?? [],
    raw: { inputs: options.inputs?.join(","), entry, dataModel, filesFolder, includeFolders, defines },
  });
  const request = { ...explain.request(given), shrink: options.shrink ?? true };
  const { expected } = options;
  return {
    ...request,
    withOutlines: true,
    ...(options.stdin === undefined ? {} : { stdin: bytes(options.stdin) }),
    expected:
      expected === undefined
        ? null
        : {
            ...(expected.stdout === undefined ? {} : { stdout: bytes(expected.stdout) }),
            ...(expected.exit === undefined ? {} : { exit: expected.exit }),
            files: Object.entries(expected.files ?? {}).map(([name, content]) => ({ name, content: bytes(content) })),
          },
  };
}

function bytes(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? Buffer.from(content, "utf8") : content;
}
