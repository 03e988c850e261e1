import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { completionCommand, shells } from "../src/cli/completion/completionScript.ts";
import { services } from "../src/cli/services.ts";
import { commands } from "../src/commands/all.ts";
import type { Option } from "../src/commands/options/option.ts";
import { outputOptions, programOptions } from "../src/commands/options/programOptions.ts";

/** `docs/options.md`, from the options as the commands declare them: `npm run options-page` writes it. */
export function optionsPage(): string {
  const shared = new Set<Option>(Object.values<Option>(programOptions));
  const sections = commands.map(({ name, summary, options, formats }) => {
    const own = Object.values(options).filter((option) => !shared.has(option));
    const isAboutPrograms = Object.values(options).some((option) => shared.has(option));
    return [
      `## tracefold ${name}`,
      `${sentence(summary)} Formats: ${Object.keys(formats).join(", ")}.`,
      ...(isAboutPrograms ? ["It takes the options about the program and its run, too."] : []),
      ...(own.length > 0 ? [table(own)] : []),
    ].join("\n\n");
  });
  const talking = services.map(({ name, summary, options }) =>
    [`## tracefold ${name}`, sentence(summary), table(Object.values(options))].join("\n\n"),
  );
  return `${[
    "# Options",
    "This page is made from the declarations of the options: `npm run options-page`.",
    "## The program and its run",
    table([...shared]),
    "## Output, for every command",
    table(Object.values(outputOptions(["text", "json"]))),
    ...sections,
    `## tracefold ${completionCommand.name}`,
    `${sentence(completionCommand.summary)} Argument: ${shells.map((shell) => `\`${shell}\``).join(", ")}. [shell.md](shell.md) says where it belongs.`,
    ...talking,
  ].join("\n\n")}\n`;
}

function table(options: readonly Option[]): string {
  const rows = options.filter(({ hidden }) => !hidden).map((option) => `| \`${option.flags}\` | ${meaning(option)} |`);
  return ["| option | meaning |", "| --- | --- |", ...rows].join("\n");
}

function meaning({ help, choices, default: usual, repeated }: Option): string {
  const more = [
    ...(choices === undefined ? [] : [`one of ${choices.map((choice) => `\`${choice}\``).join(", ")}`]),
    ...(usual === undefined ? [] : [`default \`${usual}\``]),
    ...(repeated ? ["may be given several times"] : []),
  ];
  const text = help.replaceAll("|", "\\|").replaceAll("*", "\\*").replaceAll("<", "&lt;");
  return more.length === 0 ? text : `${text} (${more.join("; ")})`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL("../docs/options.md", import.meta.url), optionsPage());
