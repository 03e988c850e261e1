import { controlFlowOf } from "../ir/controlFlow.ts";
import type { Operation } from "../ir/operation.ts";
import type { Edge, Function, Program } from "../ir/program.ts";
import { statedName, statedNumber, statedText } from "../ir/reservedNames.ts";

const open: Operation = { kind: "skip" };
const closed: Operation = {
  kind: "assume",
  condition: { kind: "constant", type: { kind: "bool" }, value: 0n },
  negated: false,
  origin: "branch",
};

/**
 * Three programs that differ from one with stated conditions (`lowerStated`) in which of the ways beside its own are open. Locations
 * and edges have the same numbers in the first two.
 */
export type StatedProgram = {
  /** All ways are open, whatever is chosen: what each condition says can be read from how it fails. For formulas, not for runs. */
  readonly evaluating: Program;
  /** No way is open: the program as it is. */
  readonly silent: Program;
  /** The places where something is stated, before it is evaluated. */
  isPlace(fn: Function, location: number): boolean;
  /** One condition is evaluated on the way, and nothing else is an error. */
  asking(number: number): Program;
};

export function statedProgram(program: Program): StatedProgram {
  const variable = program.variables.find(({ name, madeUp }) => madeUp && name === statedName)?.id ?? null;
  const isDefault = ({ operation }: Edge) =>
    operation.kind === "case" &&
    operation.values === null &&
    operation.selector.kind === "variable" &&
    operation.selector.variable === variable;
  const withEdges = (change: (edge: Edge) => Edge): Program => ({
    ...program,
    functions: program.functions.map((fn) => ({ ...fn, edges: fn.edges.map(change) })),
  });
  const places = new Set(
    program.functions.flatMap((fn) => fn.edges.filter(isDefault).map(({ from }) => `${fn.id}:${from}`)),
  );
  return {
    evaluating: withEdges((edge) =>
      isDefault(edge) || statedNumber(edge, variable) !== null ? { ...edge, operation: open } : edge,
    ),
    silent: withEdges((edge) =>
      isDefault(edge)
        ? { ...edge, operation: open }
        : statedNumber(edge, variable) !== null
          ? { ...edge, operation: closed }
          : edge,
    ),
    isPlace: (fn, location) => places.has(`${fn.id}:${location}`),
    asking: (number) => ({
      ...program,
      functions: program.functions.map((fn) => {
        const asked = new Set(
          fn.edges.filter((edge) => statedNumber(edge, variable) === number).map(({ from }) => from),
        );
        const kept = fn.edges.flatMap((edge) => {
          const stated = statedNumber(edge, variable);
          if (stated !== null) return stated === number ? [{ ...edge, operation: open }] : [];
          if (isDefault(edge)) return asked.has(edge.from) ? [] : [{ ...edge, operation: open }];
          return [withoutOtherErrors(edge, number)];
        });
        return reachable({ ...fn, edges: numbered(kept) });
      }),
    }),
  };
}

function withoutOtherErrors(edge: Edge, number: number): Edge {
  const { operation } = edge;
  if (operation.kind !== "fail" || operation.text === statedText(number)) return edge;
  const isError = operation.reason === "assertion" || operation.reason === "error-location";
  return isError ? { ...edge, operation: { ...operation, reason: "abort" } } : edge;
}

/** Code behind closed ways is left out. */
function reachable(fn: Function): Function {
  const { order } = controlFlowOf(fn);
  return { ...fn, edges: numbered(fn.edges.filter(({ from }) => order[from] !== -1)) };
}

function numbered(edges: readonly Edge[]): readonly Edge[] {
  return edges.map((edge, i) => ({ ...edge, id: i as Edge["id"] }));
}
