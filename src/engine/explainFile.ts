import { Defect, TracefoldError } from "../base/errors.ts";
import type { SourceOutline } from "../c/outline.ts";
import { givenTo } from "../commands/command.ts";
import { explain } from "../commands/explain/command.ts";
import type { Explanation } from "../commands/explain/result.ts";
import type { InputValue } from "../interpreter/inputs.ts";
import type { DataModelName } from "../ir/type.ts";
import { plain } from "../render/layout.ts";
import type { EngineError } from "./message.ts";
import { startEngine } from "./startEngine.ts";

export type ExplainFileOptions = {
  /** Values of nondeterministic reads. Without them, where the program reads any, a failing run is searched for. */
  readonly inputs?: readonly InputValue[];
  readonly stdin?: string | Uint8Array;
  /** The program's own arguments, without its name. */
  readonly arguments?: readonly string[];
  /** The folder with the program's files; that of its first source file unless told. */
  readonly files?: string;
  /** What it has to print, exit with and leave in files: anything else is a failure. */
  readonly expected?: {
    readonly stdout?: string | Uint8Array;
    readonly exit?: number;
    readonly files?: Readonly<Record<string, string | Uint8Array>>;
  };
  readonly entry?: string;
  readonly dataModel?: DataModelName;
  readonly includeFolders?: readonly string[];
  readonly defines?: readonly string[];
  /** Looks for a smaller failing run; on unless told. */
  readonly shrink?: boolean;
  /** After so many seconds what is known is the answer. */
  readonly timeoutSeconds?: number;
  /** Ends the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told what is being done: `loading`, `running`, `folding` and so on. */
  progress?(phase: string): void;
};

/** An explanation with what it takes to write it. */
export type ExplainedFile = {
  readonly explanation: Explanation;
  /** Texts of the program's files, by path. */
  readonly sources: ReadonlyMap<string, string>;
  readonly outlines: ReadonlyMap<string, SourceOutline>;
};

/** Why a run of the program in some files fails. The work is done in a thread of its own. */
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
    if (ending.kind === "error") throw rebuilt(ending.error);
    throw new TracefoldError({ code: "TF342", message: "the time limit was reached", help: "Allow more time." });
  } finally {
    signal?.removeEventListener("abort", abort);
    if (timer !== null) clearTimeout(timer);
    engine.end();
  }
}

/** What `--format` names. */
export type ExplanationFormat = "text" | "json" | "sarif" | "witness" | "invariants";

/** An explanation as the command line writes it; null where a format has no way to say it. `all`: not only what fits on a screen. */
export async function renderExplanation(
  explained: ExplainedFile,
  format: ExplanationFormat,
  { all = false }: { readonly all?: boolean } = {},
): Promise<string | null> {
  const render = explain.formats[format];
  if (render === undefined) throw new Defect(`explain has no format ${format}`);
  const { flags } = givenTo(explain, { words: [] });
  const printing = { flags: { ...flags, all }, request: requestOf(["program.c"], {}), paint: plain, announced: false };
  const text = await render({ ...explained, isComplete: false, exported: null }, printing);
  return typeof text === "string" ? text : null;
}

type Request = ReturnType<typeof explain.request>;

/** The same request as the command line makes, with what is data here and a file there. */
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

/** Classes do not cross the boundary of a thread. */
function rebuilt(error: EngineError): Error {
  if (error.kind === "tracefold")
    return error.details === null ? new Error(error.text) : new TracefoldError(error.details);
  const defect = new Defect(error.message);
  defect.stack = error.stack;
  return defect;
}
