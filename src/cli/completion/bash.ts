import type { CommandSyntax, OptionSyntax, ValueSyntax } from "./commandSyntax.ts";

/** A completion script for bash. It needs no bash-completion package, and starts no Node. */
export function bashCompletion(commands: readonly CommandSyntax[]): string {
  const names = commands.map(({ name }) => name);
  return `# Completions of tracefold for bash. For this shell: eval "$(tracefold completion bash)"
_tracefold_folders() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -d -- "$1"))
  compopt -o filenames 2>/dev/null
}

_tracefold() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command="" i
  COMPREPLY=()
  # Bash takes --format=json apart at the equals sign.
  if [[ $word == "=" ]]; then word=""; elif [[ $before == "=" ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      # The words behind it belong to the program.
      --) compopt -o default 2>/dev/null; return ;;
      ${names.join(" | ")}) [[ -z $command ]] && command=\${COMP_WORDS[i]} ;;
    esac
  done
  case $command in
${commands.map(commandCase).join("\n")}
    *) COMPREPLY=($(compgen -W "${[...names, "--help", "--version"].join(" ")}" -- "$word")) ;;
  esac
}

complete -F _tracefold tracefold
`;
}

function commandCase({ name, options, argumentValue }: CommandSyntax): string {
  const byValue = new Map<string, string[]>();
  for (const option of options) {
    const action = valueAction(option.value);
    if (action !== null) byValue.set(action, [...(byValue.get(action) ?? []), ...flagsOf(option)]);
  }
  const cases = [...byValue].map(([action, flags]) => `        ${flags.join(" | ")}) ${action}; return ;;`);
  const all = [...options.map(({ long }) => long), "--help"].join(" ");
  return `    ${name})
      case $before in
${cases.join("\n")}
      esac
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "${all}" -- "$word"))
      else
        ${valueAction(argumentValue) ?? ":"}
      fi
      ;;`;
}

function flagsOf({ long, short }: OptionSyntax): readonly string[] {
  return short === null ? [long] : [short, long];
}

/** What completes the value; null if the next word is no value. */
function valueAction(value: ValueSyntax): string | null {
  switch (value.kind) {
    case "none":
    case "optional":
      return null;
    case "file":
      return "compopt -o default 2>/dev/null";
    case "folder":
      return '_tracefold_folders "$word"';
    case "choice":
      return `COMPREPLY=($(compgen -W "${value.choices.join(" ")}" -- "$word"))`;
    default:
      return ":";
  }
}
