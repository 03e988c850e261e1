import { existsSync } from "node:fs";
import { type InputValue, parseInputs } from "../../interpreter/inputs.ts";
import { list, readBytes } from "./option.ts";

export const passingOption = list(
  "--passing <run>",
  "a passing run for comparison: inputs (3,0,-7), a file for standard input, or a test function",
);

/** A run that is said to pass; `given` is the user's text. */
export type RequestedPassing = { readonly given: string } & (
  | { readonly kind: "inputs"; readonly inputs: readonly InputValue[] }
  | { readonly kind: "stdin"; readonly stdin: Uint8Array }
  | { readonly kind: "test"; readonly name: string }
);

/** Numbers are inputs; an existing file, or anything that is no name, is a file; otherwise it is a function. */
export function requestedPassing(given: string): RequestedPassing {
  const [, kind = kindOf(given), text = given] = /^(inputs|stdin|test)=(.*)$/s.exec(given) ?? [];
  switch (kind) {
    case "inputs":
      return { given, kind, inputs: parseInputs(text) };
    case "stdin":
      return { given, kind, stdin: readBytes("--passing", text) };
    default:
      return { given, kind: "test", name: text };
  }
}

function kindOf(text: string): RequestedPassing["kind"] {
  if (/^[-+]?\d[^/]*$/.test(text) && !existsSync(text)) return "inputs";
  return /^[A-Za-z_]\w*$/.test(text) && !existsSync(text) ? "test" : "stdin";
}
