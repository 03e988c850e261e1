import { choice, flag, type Options, text, type Values } from "./option.ts";

export function outputOptions(formats: readonly string[]) {
  return {
    format: choice("--format <format>", "how to print the result", formats, "text"),
    out: text("--out <path>", "write the result to a file"),
    color: choice("--color <when>", "colours in text", ["auto", "always", "never"], "auto"),
    quiet: flag("--quiet", "print only what is wrong"),
    debug: { ...flag("--debug", "print stack traces of defects"), hidden: true as const },
  } satisfies Options;
}

export type OutputValues = Values<ReturnType<typeof outputOptions>>;
