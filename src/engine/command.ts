import type { Cancellation } from "../base/cancellation.ts";
import type { Paint } from "../report/paint.ts";

/**
 * A command, whole: what it is called, which options it has, what they ask for, how the engine's thread does it, and how
 * the answer is written. The file of a command loads fast: its work and its renderers import what they need when they
 * are called, because every start of the command line reads the list of all commands.
 *
 * Functions are written as methods, so that commands of different types fit into one list. An answer reaches the
 * renderers of its own command only: `startEngine` sees to that.
 */
export type Command<
  Flags extends OutputFlags = OutputFlags,
  Request extends CommonRequest = CommonRequest,
  Answer = unknown,
  News = unknown,
> = {
  readonly name: string;
  /** For the list of commands. */
  readonly summary: string;
  readonly usage?: string;
  readonly argument: { readonly words: string; readonly help: string };
  /** Beside those that every command has (`outputOptions`). */
  readonly options: readonly CommandOption[];
  /** What is asked for: plain data, because it goes to another thread. */
  request(given: Given<Flags>): Request;
  /** In the engine's thread. */
  work(request: Request, at: Workplace<News>): Promise<Answer>;
  /** What `--format` may name; `text` is the one that people read. */
  readonly formats: Formats<Answer, Printing<Flags, Request>>;
  /** What is said as soon as it is known, where the format is text. */
  announce?(news: News, printing: Printing<Flags, Request>): Promise<string>;
  /** Nothing is wrong: `--quiet` prints nothing. */
  isGood(answer: Answer): boolean;
  exitCode(answer: Answer): number;
};

/** An option as data, in the words of `--help`. */
export type CommandOption = {
  /** `-I, --include <folder>`. */
  readonly flags: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** It may be given several times. */
  readonly repeated?: true;
  readonly hidden?: true;
};

/** What was given on the command line. */
export type Given<Flags> = {
  /** The command's own arguments. */
  readonly words: readonly string[];
  /** What followed `--`. */
  readonly programArguments: readonly string[];
  readonly flags: Flags;
  /** The reader sees colours. */
  readonly colours: boolean;
};

/** The options that every command has. */
export type OutputFlags = {
  readonly format: string;
  readonly out?: string;
  readonly color?: string;
  readonly quiet?: boolean;
  readonly debug?: boolean;
};

export type CommonRequest = { readonly timeoutSeconds: number | null };

/** What work in the engine's thread has to do with those who wait for it. */
export type Workplace<News = unknown> = {
  /** Looked at in every phase; what is known by then is the answer. */
  readonly cancellation: Cancellation;
  /** For progress: `folding`. */
  readonly report: (phase: string) => void;
  /** Says something before the answer, so that nobody waits for what is known already. */
  readonly tell: (news: News) => void;
};

export type Printing<Flags, Request> = {
  readonly flags: Flags;
  readonly request: Request;
  readonly paint: Paint;
  /** What `announce` gave was printed. */
  readonly announced: boolean;
};

/** A format may have no way to say what was found. */
export type NothingToWrite = { readonly nothing: string };

type Render<Answer, P> = { render(answer: Answer, printing: P): Promise<string | NothingToWrite> }["render"];
type Formats<Answer, P> = { readonly text: Render<Answer, P>; readonly [format: string]: Render<Answer, P> };

/** The format `json` of a command whose answer has a report. */
export async function reportAsJson({ report }: { readonly report: unknown }): Promise<string> {
  return `${JSON.stringify(report, null, 2)}\n`;
}
