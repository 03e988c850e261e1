import type { Command, CommandOption } from "../command.ts";

/** What every command has: how its result is printed. */
export function outputOptions({ formats }: Pick<Command, "formats">): readonly CommandOption[] {
  return [
    { flags: "--format <format>", help: "how to print the result", choices: Object.keys(formats), default: "text" },
    { flags: "--out <path>", help: "write the result to a file" },
    { flags: "--color <when>", help: "colours in text", choices: ["auto", "always", "never"], default: "auto" },
    { flags: "--quiet", help: "print only what is wrong" },
    { flags: "--debug", help: "print stack traces of defects", hidden: true },
  ];
}
