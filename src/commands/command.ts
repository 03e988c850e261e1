import type { Cancellation } from "../base/cancellation.ts";
import type { Paint } from "../render/layout.ts";
import { type Options, type RawValues, readOptions, type Values } from "./options/option.ts";
import { type OutputValues, outputOptions } from "./options/outputOptions.ts";

/**
 * A command, whole: what it is called, which options it has, what they ask for, how the engine's thread does it, and how
 * the answer is written. The file of a command loads fast: its work and its renderers import what they need when they
 * are called, because every start of the command line reads the list of all commands.
 *
 * Functions are written as methods, so that commands of different types fit into one list. An answer reaches the
 * renderers of its own command only: `startEngine` sees to that.
 */
export type Command<
  O extends Options = Options,
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
  readonly options: O;
  /** What is asked for: plain data, because it goes to another thread. */
  request(given: Given<O>): Request;
  /** In the engine's thread. */
  work(request: Request, at: Workplace<News>): Promise<Answer>;
  /** What `--format` may name; `text` is the one that people read. */
  readonly formats: Formats<Answer, Printing<O, Request>>;
  /** What is said as soon as it is known, where the format is text. */
  announce?(news: News, printing: Printing<O, Request>): Promise<string>;
  /** Nothing is wrong: `--quiet` prints nothing. */
  isGood(answer: Answer): boolean;
  exitCode(answer: Answer): number;
};

/** What was given on the command line. */
export type Given<O extends Options> = {
  /** The command's own arguments. */
  readonly words: readonly string[];
  /** What followed `--`. */
  readonly programArguments: readonly string[];
  readonly flags: Values<O> & OutputValues;
  /** The options as they were written. */
  readonly raw: RawValues<O>;
  /** The reader sees colours. */
  readonly colours: boolean;
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

export type Printing<O extends Options, Request> = {
  readonly flags: Values<O> & OutputValues;
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

/** The options of a command, with those that every command has. */
export function optionsOf(command: { readonly options: Options; readonly formats: object }): Options {
  return { ...command.options, ...outputOptions(Object.keys(command.formats)) };
}

/** What a command is asked, from the options as they were written. */
export function givenTo<O extends Options>(
  command: { readonly options: O; readonly formats: object },
  given: {
    readonly words: readonly string[];
    readonly programArguments?: readonly string[];
    readonly raw?: RawValues<O & ReturnType<typeof outputOptions>>;
    readonly colours?: boolean;
  },
): Given<O> {
  const { words, programArguments = [], colours = false } = given;
  const raw: RawValues<Options> = given.raw ?? {};
  const flags = readOptions(optionsOf(command), raw) as Values<O> & OutputValues;
  return { words, programArguments, flags, raw: raw as RawValues<O>, colours };
}
