import { nth } from "../../../base/checked.ts";
import { libraryFunction, parameterIndex } from "../../../c/library/table.ts";
import { regroupedMacro } from "../../../c/preprocess/regroupedMacro.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import type { RefusedCall } from "../../../dependence/refusedCalls.ts";
import type { Call, CallLibrary } from "../../../ir/operation.ts";
import type { Program } from "../../../ir/program.ts";
import { libraryFolder } from "../../../ir/reservedNames.ts";
import type { RenderContext } from "./wording.ts";

/** What neither the text of a line nor its values show. */
export function remarksOn(context: RenderContext, visit: number, refused: RefusedCall | null): readonly string[] {
  const { graph, visits } = context;
  const remarks = visits.steps(visit).flatMap((step) => {
    const { operation } = graph.edge(step);
    if (operation.kind === "callLibrary") return blockSize(graph, step, operation);
    if (operation.kind !== "call") return [];
    return [...sameObject(graph, step, operation), ...(refused?.call === step ? ignored(context, refused) : [])];
  });
  const other = [...macroUse(graph.trace.program, visits.unit(visit).text), ...fallThrough(graph, visits.first(visit))];
  return [...new Set([...remarks, ...other])];
}

function ignored({ graph, wording }: RenderContext, { returned }: RefusedCall): readonly string[] {
  const { operation } = graph.edge(returned);
  const value =
    operation.kind === "return" && operation.value !== null ? wording.valueOf(returned, operation.value) : null;
  return value === null ? [] : [`returns ${value}, ignored`];
}

/** Two parameters that point to one place. */
function sameObject(graph: DependenceGraph, step: number, { callee, arguments: args }: Call): readonly string[] {
  const { program } = graph.trace;
  if (callee.kind !== "direct") return [];
  const { parameters } = nth(program.functions, callee.function);
  const byAddress = new Map<number, string[]>();
  for (const [i, argument] of args.entries()) {
    const parameter = parameters[i] === undefined ? undefined : program.variables[parameters[i]];
    const address = argument.type.kind === "pointer" ? graph.valueOf(step, argument) : 0;
    if (parameter === undefined || parameter.madeUp || typeof address !== "number" || address === 0) continue;
    byAddress.set(address, [...(byAddress.get(address) ?? []), parameter.name]);
  }
  return [...byAddress.values()].flatMap((names) =>
    names.length < 2 ? [] : [`${names.slice(0, -1).join(", ")} and ${names.at(-1)} are the same`],
  );
}

/** `5 bytes`, for a call that allocates a block. */
function blockSize(graph: DependenceGraph, step: number, { name, arguments: args }: CallLibrary): readonly string[] {
  const known = libraryFunction(name);
  const size = known.allocates?.size;
  if (size === undefined || size.kind !== "bytes") return [];
  const factors = size.factors.map((each) => graph.valueOf(step, nth(args, parameterIndex(known, each))));
  const product = factors.reduce<number>((all, factor) => all * Number(factor ?? Number.NaN), 1);
  return Number.isSafeInteger(product) ? [`${product.toLocaleString("en-US")} byte${product === 1 ? "" : "s"}`] : [];
}

function macroUse({ files, language }: Program, text: string): readonly string[] {
  if (language !== undefined && language !== "c") return [];
  const own = files.filter(({ path }) => !path.startsWith(libraryFolder)).map((file) => file.text);
  const found = regroupedMacro(own, text);
  return found === null ? [] : [`${found.use} is ${found.text}`];
}

/** How far back the step before one is looked for: it may have called functions. */
const farthest = 10_000;

/** A statement behind a `case` that was reached from the statement before, not by the `case`. */
function fallThrough(graph: DependenceGraph, step: number): readonly string[] {
  const { from } = graph.edge(step);
  const isLabelled = graph
    .function(step)
    .edges.some(({ to, operation }) => to === from && operation.kind === "case" && operation.values !== null);
  if (!isLabelled) return [];
  const activation = graph.activation(step);
  let before = step - 1;
  while (before >= Math.max(graph.first, step - farthest) && graph.activation(before) !== activation) before--;
  if (before < graph.first || graph.activation(before) !== activation) return [];
  const { operation, range } = graph.edge(before);
  return operation.kind === "case" ? [] : [`falls through from line ${range.line}`];
}
