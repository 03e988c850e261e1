import type { CommandSyntax, OptionSyntax, ValueSyntax } from "./commandSyntax.ts";

/** A completion script for zsh: a file `_tracefold` in a folder of `fpath`, or evaluated. */
export function zshCompletion(commands: readonly CommandSyntax[]): string {
  const cases = commands.map(({ name, options, argumentHelp, argumentValue }) => {
    const specs = [
      ...options.map(optionSpec),
      "'(- *)'{-h,--help}'[explain the options]'",
      ...(argumentHelp === "" ? [] : [quoted(`*:${escaped(argumentHelp)}:${valueAction(argumentValue)}`)]),
    ];
    return `        ${name})\n          _arguments -S ${specs.map((spec) => `\\\n            ${spec}`).join(" ")}\n          ;;`;
  });
  return `#compdef tracefold
# Completions of tracefold for zsh. For this shell: eval "$(tracefold completion zsh)"
_tracefold() {
  local context state state_descr line
  local -a commands
  local -A opt_args
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${escaped(summary)}`)}`).join("\n")}
  )
  _arguments -C \\
    '(- *)'{-h,--help}'[list the commands]' \\
    '(- *)'{-V,--version}'[print the version]' \\
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command) _describe -t commands command commands ;;
    argument)
      case $words[1] in
${cases.join("\n")}
      esac
      ;;
  esac
}

if [[ $funcstack[1] == _tracefold ]]; then _tracefold "$@"; else compdef _tracefold tracefold; fi
`;
}

function optionSpec({ long, short, help, isRepeated, value }: OptionSyntax): string {
  const text = `[${escaped(help)}]${valueSpec(value)}`;
  const sign = value.kind === "none" ? "" : value.kind === "optional" ? "=-" : "=";
  if (short === null) return quoted(`${isRepeated ? "*" : ""}${long}${sign}${text}`);
  if (isRepeated) return `'*'{${short}+,${long}${sign}}${quoted(text)}`;
  return `'(${short} ${long})'{${short}+,${long}${sign}}${quoted(text)}`;
}

function valueSpec(value: ValueSyntax): string {
  if (value.kind === "none") return "";
  return `${value.kind === "optional" ? "::" : ":"}${escaped(value.name)}:${valueAction(value)}`;
}

function valueAction(value: ValueSyntax): string {
  switch (value.kind) {
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "choice":
    case "optional":
      return `(${value.choices.join(" ")})`;
    default:
      return " ";
  }
}

/** `[`, `]` and `:` separate the parts of a specification. */
function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
