import type { Cancellation } from "../base/cancellation.ts";
import type { Paint } from "../render/layout.ts";
import { type Options, type RawValues, readOptions, type Values } from "./options/option.ts";
import { type OutputValues, outputOptions } from "./options/programOptions.ts";

/** Work of the engine's thread, found there by its name. A command is a job with a command line. */
export type Job<Request extends CommonRequest = CommonRequest, Answer = unknown> = {
  readonly name: string;
  /** The request and the answer are plain data, because they go to another thread. */
  work(request: Request, at: Workplace<Answer>): Promise<Answer>;
};

/**
 * One command: its name, options, request, work (in the engine's thread) and renderers. The file of a command must load
 * fast, because every start reads all commands: work and renderers import what they need when called. Functions are
 * methods, so commands of different types fit into one list; `startEngine` passes an answer only to the renderers of
 * its own command.
 */
export type Command<O extends Options = Options, Request extends CommonRequest = CommonRequest, Answer = unknown> = Job<
  Request,
  Answer
> & {
  readonly summary: string;
  readonly usage?: string;
  readonly argument: { readonly words: string; readonly help: string };
  /** Options besides those of every command (`outputOptions`). */
  readonly options: O;
  request(given: Given<O>): Request;
  /** The choices of `--format`; `text` is for people. */
  readonly formats: Formats<Answer, Printing<O, Request>>;
  exitCode(answer: Answer): number;
  /** The last step, in the main thread after the answer was printed: it may ask. Returns the exit code. */
  finish?(answer: Answer, printing: Printing<O, Request>, user: User): Promise<number>;
};

/** The person at the terminal. */
export type User = {
  readonly tell: (text: string) => void;
  /** null without a terminal. */
  readonly ask: (question: string) => Promise<boolean | null>;
};

/** The command line as given. */
export type Given<O extends Options> = {
  /** The command's own arguments. */
  readonly words: readonly string[];
  /** The arguments after `--`. */
  readonly programArguments: readonly string[];
  readonly flags: Values<O> & OutputValues;
  readonly raw: RawValues<O>;
  /** True if the output may use colours. */
  readonly colours: boolean;
};

export type CommonRequest = { readonly timeoutSeconds: number | null };

/** The connection between the work in the engine's thread and the main thread. */
export type Workplace<Answer = unknown> = {
  /** Checked in every phase; after a cancellation the partial result is the answer. */
  readonly cancellation: Cancellation;
  /** Reports progress: `folding`. */
  readonly report: (phase: string) => void;
  /** Sends what is known so far. A terminal shows it; it is the answer if the work is stopped and does not end in time. */
  readonly tell: (known: Answer) => void;
};

export type Printing<O extends Options, Request> = {
  readonly flags: Values<O> & OutputValues;
  readonly request: Request;
  readonly paint: Paint;
};

/** The reason why a format cannot express the result. */
export type NothingToWrite = { readonly nothing: string };

type Render<Answer, P> = { render(answer: Answer, printing: P): Promise<string | NothingToWrite> }["render"];
type Formats<Answer, P> = { readonly text: Render<Answer, P>; readonly [format: string]: Render<Answer, P> };

/** The `json` format of a command whose answer has a report. */
export async function reportAsJson({ report }: { readonly report: unknown }): Promise<string> {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** The options of a command, including those of every command. */
export function optionsOf(command: { readonly options: Options; readonly formats: object }): Options {
  return { ...command.options, ...outputOptions(Object.keys(command.formats)) };
}

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
