import type { Program } from "../ir/program.ts";
import type { FrontEndOptions } from "./frontEnd.ts";
import type { Project } from "./project.ts";

/** The project that a program was loaded from, and how. */
export type ProgramOrigin = { readonly project: Project; readonly options: FrontEndOptions };

/** By the list of functions, which programs with another entry share. */
const origins = new WeakMap<Program["functions"], ProgramOrigin>();

export function withOrigin(program: Program, origin: ProgramOrigin): Program {
  origins.set(program.functions, origin);
  return program;
}

/** null for a program that was not loaded from source text. */
export function originOf({ functions }: Program): ProgramOrigin | null {
  return origins.get(functions) ?? null;
}
