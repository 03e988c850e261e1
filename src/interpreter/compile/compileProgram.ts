import { remembered } from "../../base/memo.ts";
import { libraryFunction } from "../../c/library/table.ts";
import { joinsOf } from "../../ir/branches.ts";
import { reachableFunctions } from "../../ir/calls.ts";
import type { Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Machine, TrapSite } from "../machine.ts";
import { staticLayoutOf } from "../memory/staticLayout.ts";
import { type Blocks, blocksOf, pathsOf } from "../paths.ts";
import { variedPlacesOf } from "../rerun/places.ts";
import { runtimeFunctions } from "../runtimeFunctions.ts";
import { edgeCodesOf } from "../track/leaves.ts";
import { type CompileContext, type CompileMode, registerName, type SavedFrame, staticCellsOf } from "./context.ts";
import { emitResume } from "./emitCheckpoints.ts";
import { emitFunction } from "./emitFunction.ts";

/** A program compiled to JavaScript. Compiling is pure; `start` binds it to a machine and its state. */
export type CompiledProgram = {
  readonly program: Program;
  readonly mode: CompileMode;
  readonly blocks: Blocks;
  readonly sites: readonly TrapSite[];
  /** Signature keys of calls through pointers, by number. */
  readonly signatures: readonly string[];
  readonly source: string;
  start(machine: Machine): RunningProgram;
};

export type RunningProgram = {
  readonly functions: readonly ((...args: ScalarValue[]) => ScalarValue | undefined)[];
  readStatic(variable: number): ScalarValue;
  writeStatic(variable: number, value: ScalarValue): void;
  /** Resets static registers to their initial values. */
  reset(): void;
  statics(): ScalarValue[];
  restore(values: readonly ScalarValue[]): void;
  /** Continues from the frames of a checkpoint; returns the result of the entry function. */
  resume(frames: readonly SavedFrame[]): ScalarValue | undefined;
};

const cache = new WeakMap<Program, Map<string, CompiledProgram>>();

/** Modes that serve many runs are compiled once per program. */
export function compileProgram(program: Program, mode: CompileMode): CompiledProgram {
  if (mode.hooks !== null || mode.vary === true || mode.watch !== undefined || mode.entries !== undefined) {
    return compile(program, mode);
  }
  const compiled = remembered(cache, program, () => new Map());
  const key = `${mode.undefinedBehaviour} ${mode.record} ${mode.writes} ${mode.dependence === true}`;
  return remembered(compiled, key, () => compile(program, mode));
}

function compile(program: Program, mode: CompileMode): CompiledProgram {
  const context: CompileContext = {
    program,
    mode,
    blocks: blocksOf(program),
    varied: mode.vary ? variedPlacesOf(program) : null,
    joins: mode.dependence ? joinsOf(program) : [],
    edgeCodes: edgeCodesOf(program),
    paths: pathsOf(program),
    layout: staticLayoutOf(program),
    sites: [],
    staticCells: staticCellsOf(program),
    signatures: new Map(),
    staticsMayBeIndeterminate: copiesBytes(program),
  };
  const reachable = reachableFunctions(program, mode.entries);
  const functions = program.functions.filter(({ id }) => reachable.has(id)).map((fn) => emitFunction(context, fn));
  const source = emitModule(context, reachable, functions);
  const factory = new Function("X", "runtime", source) as (
    machine: Machine,
    runtime: typeof runtimeFunctions,
  ) => RunningProgram;
  return {
    program,
    mode,
    blocks: context.blocks,
    sites: context.sites,
    signatures: [...context.signatures.keys()],
    source,
    start: (machine) => factory(machine, runtimeFunctions),
  };
}

/** Constants of the module's scope, not properties, so that V8 folds them into the code. */
function emitModule(context: CompileContext, reachable: ReadonlySet<number>, functions: readonly string[]): string {
  const { program } = context;
  const statics = program.variables.filter(({ kind, storage }) => kind === "static" && storage === "register");
  const lines = [
    '"use strict";',
    `const { ${Object.keys(runtimeFunctions).join(", ")} } = runtime;`,
    "const M = X.memory, S = X.counters, log = X.log, F = X.frame, L = X.library;",
    ...libraryCalls(program).map((name) => `const c_${name} = library.${name};`),
    `const G = new Float64Array(${context.staticCells.size});`,
    ...statics.filter(({ id }) => !context.staticCells.has(id)).map(({ id }) => `let g${id} = 0;`),
    ...(context.mode.vary ? ["const Q = X.variation.numbers;"] : []),
    ...(context.mode.captures ? ["const K = X.captures.callers;"] : []),
    ...(context.mode.dependence ? ["const T = X.tracker;", ...statics.map(({ id }) => `let w${id} = -1;`)] : []),
  ];
  lines.push(...functions);
  lines.push(
    `const functions = [${program.functions.map(({ id }) => (reachable.has(id) ? `f${id}` : "null")).join(", ")}];`,
  );
  const registers = statics.map(({ id }) => registerName(context, id));
  lines.push(
    `const resumes = [${(context.mode.resumes ?? []).map((point) => emitResume(context, point)).join(",\n")}];`,
    "function readStatic(variable) {",
    "switch (variable) {",
    ...statics.map(({ id }) => `case ${id}: return ${registerName(context, id)};`),
    "}",
    "}",
    "function writeStatic(variable, value) {",
    "switch (variable) {",
    ...statics.map(({ id }) => `case ${id}: ${registerName(context, id)} = value; return;`),
    "}",
    "}",
    `function reset() { ${registers.map((name) => `${name} = 0;`).join(" ")} }`,
    `function statics() { return [${registers.join(", ")}]; }`,
    `function restore(values) { ${registers.map((name, i) => `${name} = values[${i}];`).join(" ")} }`,
    "const resume = (frames) => resumes[frames[0].point](frames, 0);",
    "return { functions, readStatic, writeStatic, reset, statics, restore, resume };",
  );
  return lines.join("\n");
}

/** The names of the library functions that the program calls. */
function libraryCalls(program: Program): readonly string[] {
  const names = program.functions.flatMap(({ edges }) =>
    edges.flatMap(({ operation }) => (operation.kind === "callLibrary" ? [operation.name] : [])),
  );
  return [...new Set(names)];
}

/** Uninitialised bytes may be copied into static objects. */
function copiesBytes(program: Program): boolean {
  return program.functions.some(({ edges }) =>
    edges.some(({ operation }) => {
      if (operation.kind !== "callLibrary") return operation.kind === "copy";
      const { memory } = libraryFunction(operation.name);
      return memory.some((use) => use.kind === "copies" && use.extent.kind === "bytes");
    }),
  );
}
