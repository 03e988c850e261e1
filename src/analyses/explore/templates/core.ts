import { nth } from "../../../base/checked.ts";
import { controlFlowOf } from "../../../ir/controlFlow.ts";
import { writesVariable } from "../../../ir/dataFlow.ts";
import { loopsOf } from "../../../ir/loops.ts";
import { expressionsWithin } from "../../../ir/operation.ts";
import type { Edge, Function, LocationId, VariableId } from "../../../ir/program.ts";
import type { ScalarType } from "../../../ir/type.ts";
import { isFalse, type Term, type Variable } from "../../../logic/term.ts";
import { follow, type InlinedNode, nodeKey } from "../../../symbolic/followEdge.ts";
import { bodyEnvironment, type StepEnvironment } from "../../../symbolic/stepEnvironment.ts";
import { originState, type SymbolicState } from "../../../symbolic/symbolicState.ts";
import { assumptionsOf } from "../../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";
import type { LoopCore } from "../explorer.ts";

/** With more cores, only executed ones are used. */
const mostCores = 24;
/** The number of nodes that are searched. */
const mostNodes = 4000;

/** All cores of the loop at a head, with calls followed; none if there are too many. */
export function coresOf(symbols: Symbols, head: InlinedNode): readonly LoopCore[] {
  const loop = loopsOf(head.function).loopWithHeader(head.location);
  if (loop === null) return [];
  const start = nodeKey(head);
  const cores: LoopCore[] = [];
  let visited = 0;
  const isInside = (node: InlinedNode): boolean => node.frame !== head.frame || loop.body.has(node.location);
  type Way = { readonly node: InlinedNode; readonly core: LoopCore; readonly seen: ReadonlySet<string> };
  const stack: Way[] = [{ node: head, core: [], seen: new Set() }];
  for (let way = stack.pop(); way !== undefined; way = stack.pop()) {
    if (++visited > mostNodes || cores.length > mostCores) return [];
    const { node, core, seen } = way;
    for (const edge of nth(controlFlowOf(node.function).outgoing, node.location).toReversed()) {
      for (const next of follow(symbols, node, edge)) {
        const key = nodeKey(next.node);
        if (seen.has(key) || !isInside(next.node)) continue;
        const longer = [...core, { edge, to: key }];
        if (key === start) cores.push(longer);
        else stack.push({ node: next.node, core: longer, seen: new Set([...seen, key]) });
      }
    }
  }
  return cores;
}

export function coreKey(head: InlinedNode, core: LoopCore): string {
  return `${nodeKey(head)}|${core.map(({ edge, to }) => `${edge.id}>${to}`).join(" ")}`;
}

/** False if the way passes a node twice. */
export function isCore(way: LoopCore): boolean {
  return new Set(way.map(({ to }) => to)).size === way.length;
}

/** `executePath` of 004's Algorithm 1 for a core: θ and φ of one round, over the values at its beginning. */
export type OneRound = {
  readonly state: SymbolicState;
  readonly assumptions: readonly Term[];
  /** Values that are read or unknown in each round. */
  readonly drawn: readonly DrawnInRound[];
};

export type DrawnInRound = { readonly variable: Variable; readonly type: ScalarType; readonly isInput: boolean };

/** Null if a round has an operation without a closed form: an allocation, or a write through an unresolved pointer. */
export function oneRound(
  symbols: Symbols,
  head: InlinedNode,
  core: LoopCore,
  undefinedBehaviour: "stop" | "wrap",
): OneRound | null {
  const drawn: DrawnInRound[] = [];
  const draw = (type: ScalarType, isInput: boolean): Variable => {
    const variable = symbols.fresh("round", type);
    drawn.push({ variable, type, isInput });
    return variable;
  };
  const { environment, isExact } = roundEnvironment(symbols, undefinedBehaviour, draw);
  let node = head;
  let state = originState;
  const assumptions: Term[] = [];
  for (const { edge, to } of core) {
    const successor = follow(symbols, node, edge).find((each) => nodeKey(each.node) === to);
    if (successor === undefined) return null;
    const step = successor.step(state, environment);
    assumptions.push(...assumptionsOf(step));
    state = step.state;
    node = successor.node;
    if (!isExact() || assumptions.some(isFalse)) return null;
  }
  return state.clobbers.length > 0 ? null : { state, assumptions, drawn };
}

/** The environment of one round without knowledge about earlier ones. `isExact`: the formulas express everything so far. */
export function roundEnvironment(
  symbols: Symbols,
  undefinedBehaviour: "stop" | "wrap",
  draw: (type: ScalarType, isInput: boolean) => Variable,
): { readonly environment: StepEnvironment; isExact(): boolean } {
  let isExact = true;
  const note = () => {
    isExact = false;
  };
  const environment: StepEnvironment = {
    ...bodyEnvironment(symbols, { undefinedBehaviour }, { pointsTo: () => [], note }),
    input: ({ type }) => draw(type, true),
    approximate: (_reason, type) => draw(type, false),
    allocate(bytes) {
      note();
      return symbols.heapObject(-symbols.tag(), bytes);
    },
  };
  return { environment, isExact: () => isExact };
}

/** True if the place is a register of the node's function that is written before it is read again, or never read. */
export function isDeadAt(symbols: Symbols, node: InlinedNode, place: Variable): boolean {
  const cell = symbols.cellOf(place);
  if (cell?.kind !== "register") return false;
  const variable = nth(symbols.program.variables, cell.variable);
  // Registers of returned functions are gone, and those of callers do not change here.
  if (variable.kind === "static" || cell.frame !== node.frame)
    return variable.kind !== "static" && cell.frame !== node.frame;
  return !isRead(node.function, node.location, cell.variable);
}

function isRead(fn: Function, from: LocationId, variable: VariableId): boolean {
  const { outgoing } = controlFlowOf(fn);
  const seen = new Set<LocationId>([from]);
  for (const location of seen) {
    for (const edge of nth(outgoing, location)) {
      if (reads(edge, variable)) return true;
      if (!overwrites(edge, variable)) seen.add(edge.to);
    }
  }
  return false;
}

function reads({ operation }: Edge, variable: VariableId): boolean {
  return expressionsWithin(operation).some(
    (expression) => expression.kind === "variable" && expression.variable === variable,
  );
}

function overwrites({ operation }: Edge, variable: VariableId): boolean {
  return writesVariable(operation, variable) || (operation.kind === "declare" && operation.variable === variable);
}
