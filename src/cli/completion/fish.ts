import type { CommandSyntax, OptionSyntax, ValueSyntax } from "./commandSyntax.ts";

/** A completion script for fish. */
export function fishCompletion(commands: readonly CommandSyntax[]): string {
  const start = "complete -c tracefold";
  const global = `${start} -n __fish_use_subcommand`;
  const lines = commands.flatMap(({ name, summary, options, argumentValue }) => {
    const inside = `${start} -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      "",
      `${global} -f -a ${name} -d ${quoted(summary)}`,
      ...(argumentValue.kind === "choice" ? [`${inside} -f -a ${quoted(argumentValue.choices.join(" "))}`] : []),
      ...options.map((option) => `${inside}${optionWords(option)}`),
      `${inside} -s h -l help -d 'explain the options'`,
    ];
  });
  return `# Completions of tracefold for fish. For this shell: tracefold completion fish | source
${global} -f -s h -l help -d 'list the commands'
${global} -f -s V -l version -d 'print the version'
${lines.join("\n")}
`;
}

function optionWords({ long, short, help, value }: OptionSyntax): string {
  const names = `${short === null ? "" : ` -s ${short.slice(1)}`} -l ${long.slice(2)}`;
  return `${names}${valueWords(value)} -d ${quoted(help)}`;
}

function valueWords(value: ValueSyntax): string {
  switch (value.kind) {
    case "file":
      return " -r -F";
    case "folder":
      return " -x -a '(__fish_complete_directories)'";
    case "choice":
      return ` -x -a ${quoted(value.choices.join(" "))}`;
    case "word":
      return " -x";
    default:
      return "";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
