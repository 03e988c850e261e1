import { nth } from "../../base/checked.ts";
import { memoised, remembered } from "../../base/memo.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Fail } from "../../ir/operation.ts";
import type { Edge } from "../../ir/program.ts";
import type { ScalarType } from "../../ir/type.ts";
import { readArray, type Value } from "../../logic/evaluate.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";
import { follow, type InlinedNode, nodeKey, type SuccessorOrEnd } from "../../symbolic/followEdge.ts";
import type { MemoryRegion } from "../../symbolic/memory/region.ts";
import { bodyEnvironment, type StepEnvironment } from "../../symbolic/stepEnvironment.ts";
import type { SymbolicState } from "../../symbolic/symbolicState.ts";
import { enterProgram, openScope, type SymbolicStep, symbolicStep } from "../../symbolic/symbolicStep.ts";
import type { SymbolicObject, Symbols } from "../../symbolic/symbols.ts";
import { translateExpression } from "../../symbolic/translateExpression.ts";
import type { DrawnMemory } from "./confirm.ts";

/** One successor of a state. `node` is null if the run ends. */
export type Transfer = {
  readonly edge: Edge;
  readonly node: InlinedNode | null;
  readonly key: string;
  readonly step: SymbolicStep;
  readonly happening: Happening;
};

/** All successors of a state: their guards are disjoint and cover every run without undefined behaviour. */
export type TransferRelation = (from: {
  readonly node: InlinedNode;
  readonly memory: SymbolicState;
  /** The number of inputs read before. */
  readonly read: number;
}) => readonly Transfer[];

/** The recursion limit. */
export const mostActivations = 40;

export function transferRelation(symbols: Symbols, around: ExplorationEnvironment): TransferRelation {
  return ({ node, memory, read }) =>
    nth(controlFlowOf(node.function).outgoing, node.location).flatMap((edge): Transfer[] => {
      const { environment, happening } = around(read);
      return successorsOf(symbols, node, edge).map(({ node: next, step }) => ({
        edge,
        node: next,
        key: next === null ? "" : nodeKey(next),
        step: step(memory, environment),
        happening,
      }));
    });
}

/** Where an edge leads; the node is null at the end of the run. */
export function successorsOf(symbols: Symbols, node: InlinedNode, edge: Edge): readonly SuccessorOrEnd[] {
  const { operation } = edge;
  if (operation.kind === "fail") {
    return [{ node: null, step: (state, around) => symbolicStep(symbols, node.frame, state, edge, around) }];
  }
  if (operation.kind !== "return" || node.context !== null) return follow(symbols, node, edge, mostActivations);
  const next = node.function.id === symbols.program.initializer ? entryNode(symbols) : null;
  return [
    {
      node: next,
      step(state, environment) {
        const { scope, collected } = openScope(symbols, node.frame, state, edge.range, environment);
        if (operation.value !== null) translateExpression(scope, operation.value);
        return collected(next === null ? state : enterProgram(symbols, next, state, environment));
      },
    },
  ];
}

/** Frames are numbered in the order of entry; the initialiser has 0. */
export function startNode({ program }: Symbols): InlinedNode {
  const fn = nth(program.functions, program.initializer);
  return { function: fn, location: fn.entry, frame: 0, context: null };
}

export function entryNode({ program }: Symbols): InlinedNode {
  const fn = nth(program.functions, program.entry);
  return { function: fn, location: fn.entry, frame: 1, context: null };
}

export type FailEdge = Edge & { readonly operation: Fail };

export function isFailEdge(edge: Edge): edge is FailEdge {
  return edge.operation.kind === "fail";
}

/** The memory that holds inputs from a step on, and the unknowns in it. */
export function drawnBy(
  symbols: Symbols,
  { frame, function: fn }: InlinedNode,
  { operation, id }: Edge,
  after: SymbolicState,
  allocated: readonly SymbolicObject[],
): readonly DrawnMemory[] {
  if (symbols.program.memoryIsInput !== true) return [];
  if (operation.kind !== "declare") {
    const allocation = { function: fn.id, edge: id };
    return allocated.map((object) => ({ variable: null, allocation, object, contents: new Map() }));
  }
  const variable = nth(symbols.program.variables, operation.variable);
  if (variable.storage === "register") return [];
  const object = symbols.variableObject(frame, variable.id);
  const contents = new Map<MemoryRegion, Variable>();
  for (const region of object.regions ?? []) {
    const value = after.values.get(symbols.region(object, region));
    if (value?.kind === "variable") contents.set(region, value);
  }
  return [{ variable: variable.id, allocation: null, object, contents }];
}

/** The side effects of a step. */
export type Happening = {
  readonly inputs: readonly PathInput[];
  readonly allocated: readonly SymbolicObject[];
  /** Operations that the state models imprecisely; values that the logic does not compute are any of their type. */
  readonly noted: readonly Inexact[];
};

export type Inexact = { readonly reason: string; readonly range: SourceRange };

export type ExplorationSettings = {
  readonly undefinedBehaviour: "stop" | "wrap";
  /** `argc`. */
  readonly argumentCount: number;
};

/** Equal for inputs of the same type. */
export function inputTypeKey(type: ScalarType): string {
  if (type.kind === "int") return `${type.signed ? "i" : "u"}${type.bits}`;
  return type.kind === "float" ? `f${type.bits}` : type.kind;
}

/** The environment of steps behind so many inputs, and what happens in it. */
export type ExplorationEnvironment = (readBefore: number) => {
  readonly environment: StepEnvironment;
  readonly happening: Happening;
};

/** Explorations over the same symbols share names. */
const namesOf = memoised((_symbols: Symbols) => new Map<string, Variable>());

/**
 * Every input is unknown. The n-th input of a path has one name on all paths that read the same type there, so that
 * they share formulas.
 */
export function explorationEnvironment(symbols: Symbols, settings: ExplorationSettings): ExplorationEnvironment {
  const named = namesOf(symbols);
  const inputVariable = (index: number, type: ScalarType): Variable => {
    const key = `${index}:${inputTypeKey(type)}`;
    return remembered(named, key, () => symbols.fresh(`input${index + 1}`, type));
  };
  return (readBefore) => {
    const inputs: PathInput[] = [];
    const allocated: SymbolicObject[] = [];
    const noted: Inexact[] = [];
    const environment: StepEnvironment = {
      ...bodyEnvironment(symbols, settings, { pointsTo: () => [], note: (inexact) => noted.push(inexact) }),
      input({ type }) {
        const variable = inputVariable(readBefore + inputs.length, type);
        inputs.push({ kind: "once", variable, type });
        return variable;
      },
      approximate: (_, type) => symbols.approximated(type),
      allocate(bytes) {
        const object = symbols.heapObject(-symbols.tag(), bytes);
        allocated.push(object);
        return object;
      },
      entryArguments: () => [symbols.terms.int(settings.argumentCount), null, null],
    };
    return { environment, happening: { inputs, allocated, noted } };
  };
}

/** The inputs of a path, in order. */
export type PathInput =
  | { readonly kind: "once"; readonly variable: Variable; readonly type: ScalarType }
  /** `count` rounds of a cycle that read one element of each array per round. */
  | {
      readonly kind: "rounds";
      readonly count: Term;
      readonly perRound: readonly { readonly array: Variable; readonly type: ScalarType }[];
    };

/** Runs with more inputs are not made. */
const mostInputs = 1_000_000;

/** The inputs of the run that a model describes; null if there are too many, or the model lacks them. */
export function inputsIn(model: Model, read: readonly PathInput[]): readonly InputValue[] | null {
  const inputs: InputValue[] = [];
  for (const input of read) {
    if (input.kind === "once") {
      inputs.push(valueFor(model.value(input.variable), input.type));
      continue;
    }
    const count = model.evaluate(input.count);
    if (typeof count !== "bigint" || count > BigInt(mostInputs)) return null;
    for (let round = 0n; round < count; round++) {
      for (const { array, type } of input.perRound) {
        const values = model.value(array);
        inputs.push(valueFor(typeof values === "object" ? readArray(values, round) : 0n, type));
      }
      if (inputs.length > mostInputs) return null;
    }
  }
  return inputs;
}

/** Floats are not computed in formulas, so any value will do. */
function valueFor(value: Value | undefined | null, type: ScalarType): InputValue {
  if (type.kind === "float") return 0;
  return typeof value === "bigint" ? value : 0n;
}
