import { statSync } from "node:fs";
import { resolve } from "node:path";
import { TracefoldError } from "../../base/errors.ts";
import { readFinite, unreadable } from "../../base/files.ts";

/** The raw value of an option; undefined if it was not given and has no default. */
export type Raw = string | boolean | readonly string[] | undefined;

/** An option, declared once: its flags, its help in `--help` and docs/options.md, and its parser. */
export type Option<T = unknown> = {
  /** `-I, --include <folder>`. */
  readonly flags: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** True if it may be given several times. */
  readonly repeated?: true;
  readonly hidden?: true;
  /** True if it selects the run, so that a replay command must repeat it. */
  readonly replayed?: true;
  read(given: Raw): T;
};

export type Options = Readonly<Record<string, Option>>;

export type Values<O extends Options> = { readonly [Key in keyof O]: O[Key] extends Option<infer T> ? T : never };

/** The raw values by the keys under which options are declared. */
export type RawValues<O extends Options> = { readonly [Key in keyof O]?: Raw };

export function readOptions<O extends Options>(options: O, given: RawValues<O>): Values<O> {
  const values = Object.entries(options).map(([key, option]) => [key, option.read(given[key] ?? usual(option))]);
  return Object.fromEntries(values) as Values<O>;
}

function usual({ default: value, repeated }: Option): Raw {
  return repeated ? [] : value;
}

/** The words that repeat the option; none if it has its default. */
export function optionWords(option: Option, given: Raw): readonly string[] {
  const [flag = ""] = option.flags.split(/[ ,]/);
  if (given === undefined || given === option.default || given === false) return [];
  if (given === true) return [flag];
  return [given].flat().flatMap((value) => [flag, value]);
}

/** A text option; null if it is not given. */
export function text(flags: string, help: string): Option<string | null> {
  return option(flags, help, {}, (given) => given);
}

export function textOr(flags: string, help: string, value: string): Option<string> {
  return { flags, help, default: value, read: (given) => `${given}` };
}

/** A switch; a `--no-` switch is on by default. */
export function flag(flags: string, help: string): Option<boolean> {
  return { flags, help, read: (given) => (given === undefined ? flags.startsWith("--no-") : given === true) };
}

export function choice<const C extends string>(
  flags: string,
  help: string,
  choices: readonly C[],
  value: C,
): Option<C> {
  return { flags, help, choices, default: value, read: (given) => given as C };
}

/** `on` or `off`; the default is on. */
export function onOff(flags: string, help: string): Option<boolean> {
  return { flags, help, choices: ["on", "off"], default: "on", read: (given) => given === "on" };
}

export function optionalChoice<const C extends string>(
  flags: string,
  help: string,
  choices: readonly C[],
): Option<C | null> {
  return { flags, help, choices, read: (given) => (given === undefined ? null : (given as C)) };
}

/** A whole number: `5000`, `5_000`, `5e3`. */
export function count(flags: string, help: string, value: number): Option<number> {
  return { flags, help, default: `${value}`, read: (given) => wholeNumber(nameOf(flags), `${given}`) };
}

export function optionalCount(flags: string, help: string): Option<number | null> {
  return option(flags, help, {}, (given) => wholeNumber(nameOf(flags), given));
}

export function seconds(flags: string, help: string): Option<number | null> {
  return option(flags, help, {}, (given) => {
    if (/^(\d+\.?\d*|\.\d+)$/.test(given) && Number(given) > 0) return Number(given);
    throw usageError(`${nameOf(flags)} needs a number of seconds, not "${given}"`);
  });
}

export function list(flags: string, help: string): Option<readonly string[]> {
  return { flags, help, repeated: true, read: (given) => [given ?? []].flat() as string[] };
}

/** The bytes of a file, read at once so that errors come early. */
export function fileBytes(flags: string, help: string): Option<Uint8Array | null> {
  return option(flags, help, {}, (path) => readBytes(nameOf(flags), path));
}

/** An option with an argument and no default; null if it is not given. */
export function option<T>(
  flags: string,
  help: string,
  more: Partial<Option>,
  read: (given: string) => T,
): Option<T | null> {
  return { flags, help, ...more, read: (given) => (typeof given === "string" ? read(given) : null) };
}

export function replayed<T>(option: Option<T>): Option<T> {
  return { ...option, replayed: true };
}

function nameOf(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

export function wholeNumber(name: string, given: string): number {
  const plain = given.replaceAll("_", "");
  if (/^\d+(e\d+)?$/.test(plain) && Number.isSafeInteger(Number(plain))) return Number(plain);
  throw usageError(`${name} needs a whole number, not "${given}"`);
}

export function exitStatus(name: string, given: string): number {
  if (/^\d{1,3}$/.test(given) && Number(given) <= 255) return Number(given);
  throw usageError(`${name} needs a status from 0 to 255, not "${given}"`);
}

export function readBytes(name: string, path: string): Uint8Array {
  try {
    return readFinite(path === "-" ? 0 : path);
  } catch (error) {
    throw unreadable(name, path, error);
  }
}

/** The absolute path of a folder that must be there. */
export function existingFolder(name: string, path: string): string {
  let isFolder = false;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    throw unreadable(name, path, error);
  }
  if (!isFolder) throw new TracefoldError({ code: "TF132", message: `${name}: ${path} is no folder` });
  return resolve(path);
}

export function usageError(message: string): TracefoldError {
  return new TracefoldError({ code: "TF130", message, help: "tracefold COMMAND --help lists the options." });
}

/** A switch that may have a word: `--fix` reads as `patch`, `--fix=apply` as `apply`; null if it is not given. */
export function optionalWord<const C extends string>(
  flags: string,
  help: string,
  words: readonly C[],
): Option<C | "patch" | null> {
  return {
    flags,
    help,
    read(given) {
      if (given === undefined) return null;
      if (given === true) return "patch";
      if (words.includes(given as C)) return given as C;
      throw usageError(`${flags.split(" ")[0]} takes ${words.join(" or ")}, not ${given}`);
    },
  };
}
