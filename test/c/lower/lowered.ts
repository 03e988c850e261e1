import { type LoadOptions, loadCText } from "../../../src/c/cFrontEnd.ts";
import { printOperation } from "../../../src/ir/printOperation.ts";
import type { Program } from "../../../src/ir/program.ts";

export function lower(text: string, options: LoadOptions = {}): Promise<Program> {
  return loadCText("p.c", text, { preprocess: "builtin", ...options });
}

/** The edges of a function, one line each: `0 -> 1: x = 1`. */
export async function edges(text: string, name = "main", options: LoadOptions = {}): Promise<string[]> {
  const program = await lower(text, options);
  const fn = program.functions.find((candidate) => candidate.name === name)!;
  return fn.edges.map(({ from, to, operation }) => `${from} -> ${to}: ${printOperation(program, operation)}`);
}

/** Only the operations of a function. */
export async function operations(text: string, name = "main", options: LoadOptions = {}): Promise<string[]> {
  return (await edges(text, name, options)).map((line) => line.slice(line.indexOf(": ") + 2));
}

/** The operations of `void f(…) { BODY }` without the final return; `parameters` declare what the body uses. */
export async function body(parameters: string, statements: string, before = ""): Promise<string[]> {
  const text = `${before}\nvoid f(${parameters}) { ${statements} }\nint main(void) { f(); return 0; }`;
  const lines = await operations(text, "f", { entry: "f" });
  return lines[lines.length - 1] === "return" ? lines.slice(0, -1) : lines;
}
