import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Fail } from "../../ir/operation.ts";
import type { Edge } from "../../ir/program.ts";
import type { ScalarType } from "../../ir/type.ts";
import { readArray, type Value } from "../../logic/evaluate.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";
import { follow, type InlinedNode, nodeKey } from "../../symbolic/followEdge.ts";
import type { StepEnvironment } from "../../symbolic/stepEnvironment.ts";
import { type SymbolicState, writeAll } from "../../symbolic/symbolicState.ts";
import { openScope, type SymbolicStep, symbolicStep } from "../../symbolic/symbolicStep.ts";
import type { SymbolicObject, Symbols } from "../../symbolic/symbols.ts";
import { translateExpression } from "../../symbolic/translateExpression.ts";
import type { ExplorationState } from "./explorer.ts";

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

export function transferRelation(symbols: Symbols, settings: ExplorationSettings): TransferRelation {
  const around = explorationEnvironment(symbols, settings);
  const { program } = symbols;
  return ({ node, memory, read }) => {
    return nth(controlFlowOf(node.function).outgoing, node.location).flatMap((edge): Transfer[] => {
      const { environment, happening } = around(read);
      const ended = (step: SymbolicStep): Transfer => ({ edge, node: null, key: "", step, happening });
      if (edge.operation.kind === "fail") {
        return [ended(symbolicStep(symbols, node.frame, memory, edge, environment))];
      }
      if (edge.operation.kind === "return" && node.context === null) {
        const { scope, collected } = openScope(symbols, node.frame, memory, edge.range, environment);
        if (edge.operation.value !== null) translateExpression(scope, edge.operation.value);
        if (node.function.id !== program.initializer) return [ended(collected(memory))];
        const entry = entryNode(symbols);
        const step = collected(writeAll(memory, entryValues(symbols, entry, environment.entryArguments())));
        return [{ edge, node: entry, key: nodeKey(entry), step, happening }];
      }
      return follow(symbols, node, edge, mostActivations).map((successor) => ({
        edge,
        node: successor.node,
        key: nodeKey(successor.node),
        step: successor.step(memory, environment),
        happening,
      }));
    });
  };
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

function entryValues(
  symbols: Symbols,
  entry: InlinedNode,
  values: ReturnType<NonNullable<import("../../symbolic/stepEnvironment.ts").StepEnvironment["entryArguments"]>>,
) {
  return entry.function.parameters.flatMap((parameter, i) => {
    const value = values[i] ?? null;
    if (value === null || nth(symbols.program.variables, parameter).storage !== "register") return [];
    return [[symbols.register(entry.frame, parameter), value] as const];
  });
}

export type FailEdge = Edge & { readonly operation: Fail };

export function isFailEdge(edge: Edge): edge is FailEdge {
  return edge.operation.kind === "fail";
}

/** The objects whose memory holds inputs from a step on. */
export function drawnBy(
  symbols: Symbols,
  { node }: Pick<ExplorationState, "node">,
  { edge, happening }: Transfer,
): readonly SymbolicObject[] {
  if (symbols.program.memoryIsInput !== true) return [];
  if (edge.operation.kind !== "declare") return happening.allocated;
  const variable = nth(symbols.program.variables, edge.operation.variable);
  return variable.storage === "register" ? [] : [symbols.variableObject(node.frame, variable.id)];
}

/** The side effects of a step. */
export type Happening = {
  readonly inputs: readonly PathInput[];
  readonly allocated: readonly SymbolicObject[];
  /** Values that the logic does not compute: they may be any value of the type. */
  readonly approximated: readonly Inexact[];
  /** Operations that the state models imprecisely. */
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

const names = new WeakMap<Symbols, Map<string, Variable>>();

/** Explorations over the same symbols share names. */
function namesOf(symbols: Symbols): Map<string, Variable> {
  return remembered(names, symbols, () => new Map());
}

/**
 * Every input is unknown. The n-th input of a path has one name on all paths that read the same type there, so that
 * they share formulas.
 */
export function explorationEnvironment(symbols: Symbols, settings: ExplorationSettings) {
  const named = namesOf(symbols);
  const inputVariable = (index: number, type: ScalarType): Variable => {
    const key = `${index}:${inputTypeKey(type)}`;
    return remembered(named, key, () => symbols.fresh(`input${index + 1}`, type));
  };
  return (readBefore: number): { readonly environment: StepEnvironment; readonly happening: Happening } => {
    const inputs: PathInput[] = [];
    const allocated: SymbolicObject[] = [];
    const approximated: Inexact[] = [];
    const noted: Inexact[] = [];
    const environment: StepEnvironment = {
      undefinedBehaviour: settings.undefinedBehaviour,
      tag: symbols.tag,
      pointsTo: () => [],
      input({ type }) {
        const variable = inputVariable(readBefore + inputs.length, type);
        inputs.push({ kind: "once", variable, type });
        return variable;
      },
      approximate(reason, type, range): Term {
        approximated.push({ reason, range });
        return symbols.fresh("unknown", type);
      },
      note: (reason, range) => noted.push({ reason, range }),
      allocate(bytes) {
        const object = symbols.heapObject(-symbols.tag(), bytes);
        allocated.push(object);
        return object;
      },
      libraryCall: () => null,
      entryArguments: () => [symbols.terms.int(settings.argumentCount), null, null],
    };
    return { environment, happening: { inputs, allocated, approximated, noted } };
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
