import { INPUT_OUTPUT_HEADERS } from "./headers/inputOutput.ts";
import { LANGUAGE_HEADERS } from "./headers/language.ts";
import { LIBRARY_HEADERS } from "./headers/library.ts";
import { MATH_HEADERS } from "./headers/math.ts";
import { SYSTEM_HEADERS } from "./headers/system.ts";

/** The standard headers as short declarations. Names beginning with `tracefold/` are shared parts. */
const HEADERS: ReadonlyMap<string, string> = new Map(
  [LANGUAGE_HEADERS, LIBRARY_HEADERS, INPUT_OUTPUT_HEADERS, MATH_HEADERS, SYSTEM_HEADERS].flatMap(Object.entries),
);

export function builtinHeader(name: string): string | null {
  return HEADERS.get(name) ?? null;
}

export function builtinHeaderNames(): readonly string[] {
  return [...HEADERS.keys()].filter((name) => !name.startsWith("tracefold/")).toSorted();
}
