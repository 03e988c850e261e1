import { type Command, optionsOf } from "../command.ts";
import { type Option, type Options, type Raw, type RawValues, usageError } from "./option.ts";

/** The words of a command line without its options, and the options. */
export type ReadWords = { readonly words: readonly string[]; readonly raw: RawValues<Options> };

/** Takes the options of a command out of a list of words; `who` gave the words. */
export function readWords(
  who: string,
  command: Pick<Command, "name" | "options" | "formats">,
  given: readonly string[],
): ReadWords {
  const declared = Object.entries<Option>(optionsOf(command));
  const words: string[] = [];
  const raw: Record<string, Raw> = {};
  for (let i = 0; i < given.length; i++) {
    const word = given[i] ?? "";
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const [, name = "", own] = /^(--?[\w-]+?)(?:=(.*))?$/s.exec(word.replace(/^-([ID])(.+)$/, "-$1=$2")) ?? [];
    const found = declared.find(([, { flags }]) => flags.split(/[ ,]+/).includes(name));
    if (found === undefined) throw usageError(`${who}: tracefold ${command.name} has no option ${word}`);
    const [key, { flags, repeated, choices }] = found;
    const takesValue = flags.includes("<");
    const value = takesValue ? (own ?? given[++i]) : !name.startsWith("--no-");
    if (value === undefined) throw usageError(`${who}: ${name} needs a value`);
    if (choices !== undefined && !choices.includes(`${value}`))
      throw usageError(`${who}: ${name} is one of ${choices.join(", ")}, not ${value}`);
    raw[key] = repeated ? [...((raw[key] as string[] | undefined) ?? []), `${value}`] : value;
  }
  return { words, raw };
}
