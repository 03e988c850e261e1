import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CommandSyntax, OptionSyntax } from "../src/cli/completion/commandSyntax.ts";
import { allCommands } from "../src/cli/completion/completionScript.ts";
import { outputOptions, programOptions } from "../src/commands/options/programOptions.ts";
import { packageVersion } from "../src/commands/output.ts";

/** The manual page `tracefold(1)`, from the options as the commands declare them. The build writes it. */
export function manPage(): string {
  const syntax = allCommands();
  const shared = longNames(programOptions);
  const ofOutput = longNames(outputOptions(["text", "json"]));
  const optionsOf = (names: ReadonlySet<string>) => {
    const all = syntax.flatMap(({ options }) => options).filter(({ long }) => names.has(long));
    return [...new Map(all.map((option) => [option.long, option])).values()];
  };
  const sections = syntax.map((command) => {
    const own = command.options.filter(({ long }) => !ofOutput.has(long) && !shared.has(long));
    const takesPrograms = command.options.some(({ long }) => shared.has(long) && long !== "--timeout");
    return [
      `.SS tracefold ${text(command.name)} ${takesPrograms ? "[options] " : ""}${text(command.argument)}`,
      text(`${sentence(command.summary)}${command.argument === "" ? "" : ` Argument: ${command.argumentHelp}.`}`),
      ...(takesPrograms ? ["It takes the options about the program and its run, too."] : []),
      ...own.map(entry),
    ].join("\n");
  });
  return `${[
    `.TH TRACEFOLD 1 "" "tracefold ${packageVersion()}" "User Commands"`,
    ".SH NAME",
    "tracefold \\- fold a failing run into the reason it fails",
    ".SH SYNOPSIS",
    ".B tracefold",
    "COMMAND [options] [arguments] [\\-\\- arguments of the program, or the command that runs the tests]",
    ".SH DESCRIPTION",
    "Tracefold runs a C program or a failing JavaScript test, and shows the few lines that matter, the values that they had,",
    "and the change that lets the tests pass. It also finds failing inputs, proves programs safe and infers contracts.",
    ".SH COMMANDS",
    ...sections,
    ".SH OPTIONS ABOUT THE PROGRAM AND ITS RUN",
    ...optionsOf(shared).map(entry),
    ".SH OPTIONS OF EVERY COMMAND",
    ...optionsOf(ofOutput).map(entry),
    ".SH EXIT STATUS",
    ...exitStatus.map(([status, meaning]) => `.TP\n${status}\n${text(meaning)}`),
    ".SH ENVIRONMENT",
    ".TP\nNO_COLOR, FORCE_COLOR\nRefuse and demand colours, if \\-\\-color is auto.",
    ".TP\nPATH\nWhere z3, cvc5, coqc, gcc and git are looked for. They are useful, but not necessary.",
    ".SH EXAMPLES",
    ...examples.map(([command, meaning]) => `.TP\n.B ${text(command)}\n${text(meaning)}`),
  ].join("\n")}\n`;
}

/** As `exitCodes` has them; `docs/errors.md` says more. */
const exitStatus = [
  ["0", "The job was done and nothing is wrong."],
  ["1", "The program is wrong: this run failed."],
  ["2", "The input is wrong, or uses what is not supported."],
  ["3", "Unknown: a limit was reached."],
  ["70", "A defect of Tracefold."],
  ["130, 143", "Interrupted by Ctrl-C, by SIGTERM. What was known by then is printed."],
] as const;

const examples = [
  ["tracefold explain prog.c -- 12 9 15", "Why does this run of a program fail?"],
  ["tracefold explain test_stack.c stack.c", "Why does a test fail?"],
  ["tracefold explain -- npm test", "Why does the first failing test of a JavaScript project fail?"],
  ["tracefold explain prog.c --html report.html", "The same as a page for a browser."],
  ["tracefold verify prog.c", "Can any run fail?"],
  ["tracefold doctor", "What works on this machine?"],
] as const;

function longNames(options: Readonly<Record<string, { readonly flags: string }>>): ReadonlySet<string> {
  return new Set(Object.values(options).flatMap(({ flags }) => /--[\w-]+/.exec(flags) ?? []));
}

function entry({ long, short, help, usual, value, isRepeated }: OptionSyntax): string {
  const names = [short, long].filter((name) => name !== null).map((name) => `\\fB${text(name)}\\fR`);
  const given =
    value.kind === "none" ? "" : value.kind === "optional" ? `[=${value.name}]` : ` \\fI${text(value.name)}\\fR`;
  const more = [
    ...(value.kind === "choice" ? [`one of ${value.choices.join(", ")}`] : []),
    ...(usual === null ? [] : [`default ${usual}`]),
    ...(isRepeated ? ["may be given several times"] : []),
  ];
  return `.TP\n${names.join(", ")}${given}\n${text(more.length === 0 ? help : `${help} (${more.join("; ")})`)}`;
}

function sentence(words: CommandSyntax["summary"]): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** Backslashes and hyphens are spelled out; a line must not begin with a dot or an apostrophe. */
function text(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replace(/^([.'])/, "\\&$1");
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL("../dist/tracefold.1", import.meta.url), manPage());
