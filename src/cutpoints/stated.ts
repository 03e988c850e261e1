import { present } from "../base/checked.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import type { Operation } from "../ir/operation.ts";
import type { Edge, Function, Program } from "../ir/program.ts";
import { statedName, statedNumber } from "../ir/reservedNames.ts";
import type { Term, Variable } from "../logic/term.ts";
import { freeVariablesOf, substitute } from "../logic/traverse.ts";
import type { ModelRegion, ProgramModel } from "./programModel.ts";

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
  if (operation.kind !== "fail" || operation.stated === number) return edge;
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

/** A stated condition as a formula over the places of one cut point. */
export type StatedTerm = { readonly number: number; readonly head: string; readonly term: Term };

/**
 * The stated conditions as formulas: a way that evaluates one of them fails if it does not hold, so the condition of that error,
 * over the state at the place, is its negation. Where its evaluation is undefined it does not hold either.
 */
export function statedTerms(model: ProgramModel, places: readonly SourceRange[]): readonly StatedTerm[] {
  const { terms, symbols } = model;
  return model.regions.flatMap((region) => {
    const { from, errors, assumed } = region;
    if (from === null) return [];
    const expanded = expander(model, region);
    return places.flatMap((at, number): StatedTerm[] => {
      const violated = errors.filter(({ stated }) => stated === number).map(({ guard }) => guard);
      if (violated.length === 0) return [];
      const defined = assumed
        .filter(({ range }) => isSame(range, at))
        .map(({ guard, formula }) => terms.implies(guard, formula));
      const term = expanded(terms.and(terms.not(terms.any(violated)), ...defined));
      const isAboutState = freeVariablesOf([term]).every((variable) => symbols.cellOf(variable) !== null);
      return isAboutState ? [{ number, head: from, term }] : [];
    });
  });
}

/** Names of conditions inside of a region are what they stand for. */
function expander({ terms }: ProgramModel, { definitions }: ModelRegion): (term: Term) => Term {
  const meanings = new Map<Variable, Term>();
  for (const definition of definitions) {
    if (definition.kind !== "ite" || definition.sort !== "Bool") continue;
    const { condition, whenTrue, whenFalse } = definition;
    if (terms.not(whenTrue) !== whenFalse) continue;
    // `a = b` has either of the two as its condition.
    if (condition.kind === "variable" && !meanings.has(condition)) meanings.set(condition, whenTrue);
    else if (whenTrue.kind === "variable" && !meanings.has(whenTrue)) meanings.set(whenTrue, condition);
    else if (whenFalse.kind === "variable" && !meanings.has(whenFalse)) meanings.set(whenFalse, terms.not(condition));
  }
  const expand = (term: Term): Term => {
    const used = freeVariablesOf([term]).filter((variable) => meanings.has(variable));
    if (used.length === 0) return term;
    return expand(
      substitute(terms, term, new Map(used.map((variable) => [variable, present(meanings.get(variable))]))),
    );
  };
  return expand;
}

function isSame(a: SourceRange, b: SourceRange): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}
