import type { Command, CommonRequest, OutputFlags } from "../../src/engine/command.ts";
import { outputOptions } from "../../src/engine/options/outputOptions.ts";

/** What a command gets where no option is given. */
export function defaultFlags<Flags extends OutputFlags, Request extends CommonRequest>(
  command: Command<Flags, Request>,
): Flags {
  const flags: Record<string, unknown> = {};
  for (const { flags: option, default: usual, repeated } of [...command.options, ...outputOptions(command)]) {
    const name = /--(?:no-)?([\w-]+)/
      .exec(option)![1]!
      .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (usual !== undefined) flags[name] = usual;
    else if (repeated) flags[name] = [];
    else if (option.startsWith("--no-")) flags[name] = true;
  }
  return flags as Flags;
}
