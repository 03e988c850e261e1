import { type Command, optionsOf } from "../../commands/command.ts";
import type { Option, Options } from "../../commands/options/option.ts";
import type { Service } from "../../commands/service.ts";

/** What a shell or a manual must know of a command, from its declared options. */
export type CommandSyntax = {
  readonly name: string;
  readonly summary: string;
  /** `[files...]`, `<path>`. */
  readonly argument: string;
  readonly argumentHelp: string;
  /** What an argument of the command is. */
  readonly argumentValue: ValueSyntax;
  readonly options: readonly OptionSyntax[];
};

export type OptionSyntax = {
  /** `--include`. */
  readonly long: string;
  /** `-I`; null without a short form. */
  readonly short: string | null;
  readonly help: string;
  readonly isRepeated: boolean;
  /** The default; null without one. */
  readonly usual: string | null;
  readonly value: ValueSyntax;
};

/** How an option's value is completed. `optional` values come behind `=`. */
export type ValueSyntax =
  | { readonly kind: "none" }
  | { readonly kind: "file" | "folder" | "word"; readonly name: string }
  | { readonly kind: "choice" | "optional"; readonly name: string; readonly choices: readonly string[] };

export function commandSyntax(command: Command): CommandSyntax {
  const { name, summary, argument } = command;
  return {
    name,
    summary,
    argument: argument.words,
    argumentHelp: argument.help,
    argumentValue: valueSyntax({ flags: argument.words }),
    options: optionSyntaxes(optionsOf(command)),
  };
}

/** Most services take options alone. */
export function serviceSyntax({ name, summary, argument, options }: Service): CommandSyntax {
  return {
    name,
    summary,
    argument: argument?.words ?? "",
    argumentHelp: argument?.help ?? "",
    argumentValue: valueSyntax({ flags: argument?.words ?? "" }),
    options: optionSyntaxes(options),
  };
}

function optionSyntaxes(options: Options): readonly OptionSyntax[] {
  return Object.values(options)
    .filter(({ hidden }) => !hidden)
    .map(optionSyntax);
}

function optionSyntax(option: Option): OptionSyntax {
  const { flags, help, repeated, default: usual } = option;
  return {
    long: /--[\w-]+/.exec(flags)![0],
    short: /^-\w\b/.exec(flags)?.[0] ?? null,
    help,
    isRepeated: repeated ?? false,
    usual: usual ?? null,
    value: valueSyntax(option),
  };
}

/** Names such as `path` and `folder` say what a value is. */
function valueSyntax({ flags, choices }: Pick<Option, "flags" | "choices">): ValueSyntax {
  const [, open = "", name = ""] = /([<[])([^\]>]+)[\]>]/.exec(flags) ?? [];
  if (name === "") return { kind: "none" };
  if (flags.startsWith("-") && open === "[") return { kind: "optional", name, choices: choices ?? [name] };
  if (choices !== undefined) return { kind: "choice", name, choices };
  if (name === "folder") return { kind: "folder", name };
  if (/^(path|files?\b.*|.*\.json)$/.test(name)) return { kind: "file", name: name.replace("...", "") };
  return { kind: "word", name };
}
