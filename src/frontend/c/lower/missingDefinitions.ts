import { type ErrorDetails, TracefoldError } from "../../../base/errors.ts";
import { formatPlace, type SourceRange } from "../../../base/sourceRange.ts";
import { findEntry } from "../../../c/library/table.ts";
import { inputError } from "./context.ts";

/** Something that the program uses and that no file defines, with the place of its first use. */
export type MissingDefinition = {
  readonly kind: "function" | "variable";
  readonly name: string;
  readonly range: SourceRange;
};

const mostListed = 8;

/** As a linker does: the first is the error, the others are listed. */
export function refuseMissing(missing: readonly MissingDefinition[]): void {
  const byName = new Map<string, MissingDefinition>();
  for (const each of missing) if (!byName.has(each.name)) byName.set(each.name, each);
  const [first, ...others] = byName.values();
  if (first === undefined) return;
  if (first.kind === "function" && findEntry(first.name)?.kind === "unsupported") {
    throw new TracefoldError({ ...unknownLibraryFunction(first.name), range: first.range });
  }
  const lack = first.kind === "function" ? "no file has a body of it" : "no file defines it";
  const listed = others.slice(0, mostListed).map(({ name, range }) => `${name} (${formatPlace(range)})`);
  if (others.length > mostListed) listed.push(`and ${others.length - mostListed} more`);
  const too = listed.length === 0 ? "" : ` The same is true of ${listed.join(", ")}.`;
  const result = first.kind === "function" ? "results of undefined functions" : "undefined variables";
  const help = `Name the file that defines it too, or take ${result} as inputs with --undefined input.${too}`;
  inputError("TF184", `undefined ${first.kind} ${first.name}: ${lack}`, first.range, help);
}

export function unknownLibraryFunction(name: string): ErrorDetails {
  return {
    code: "TF243",
    message: `the library function ${name} is not supported`,
    help: "Define it in the program, or take its result as an input with --undefined input.",
  };
}
