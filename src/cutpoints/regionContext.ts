import { nth } from "../base/checked.ts";
import { remembered } from "../base/memo.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { requestLimit } from "../c/library/stdlib/allocation.ts";
import { reachableFunctions } from "../ir/calls.ts";
import { type Expression, expressionOperands } from "../ir/expression.ts";
import { operationExpressions, type UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge, Function, Program, VariableId } from "../ir/program.ts";
import { isScalar, type ScalarType } from "../ir/type.ts";
import type { Term, Variable } from "../logic/term.ts";
import { calleesOf, follow, type InlinedNode, isCallEdge, nodeKey, type Successor } from "../symbolic/followEdge.ts";
import { type Approximation, bodyEnvironment, type StepEnvironment } from "../symbolic/stepEnvironment.ts";
import { clobberMemory, type SymbolicState, valueOf, write } from "../symbolic/symbolicState.ts";
import { openScope } from "../symbolic/symbolicStep.ts";
import type { SymbolicObject, Symbols } from "../symbolic/symbols.ts";
import { translateExpression } from "../symbolic/translateExpression.ts";
import { isCutPoint } from "./block.ts";
import { behavioursOf, errorReach, overflowIn, type Property, type Question } from "./obligation.ts";
import { unencodedOf, unwrittenAt } from "./unencoded.ts";

/** Code that is not in the encoding, so that nothing can be said of all runs. */
export type Hole = { readonly reason: string; readonly range: SourceRange; readonly help: string };

export type Unproved = { readonly behaviour: UndefinedBehaviour; readonly range: SourceRange };

/** Was an access taken to be inside of some object, or of this one, without a condition that says so? */
export function isUnresolved({ kind }: Approximation): boolean {
  return kind === "access";
}

/** The context that all regions of a program share. */
export type RegionContext = {
  readonly symbols: Symbols;
  readonly property: Property;
  readonly behaviours: ReadonlySet<UndefinedBehaviour>;
  readonly environment: StepEnvironment;
  reachesError(node: InlinedNode): boolean;
  /** The same for the same location in every model of the program. */
  keyOf(node: InlinedNode): string;
  /** Do regions end here? They do at heads of loops, and where a certificate has a claim. */
  isCut(node: InlinedNode): boolean;
  follow(node: InlinedNode, edge: Edge): readonly Successor[];
  valueOf(state: SymbolicState, place: Variable): Term;
  /** By place, so that each is said once. */
  readonly holes: Map<string, Hole>;
  /** Values that the logic does not compute exactly: errors on such ways may be spurious, proofs are not affected. */
  readonly approximations: Map<string, Approximation>;
  /** Undefined behaviour that is no error here and that no formula expresses: proofs assume that it does not happen. */
  readonly unproved: Map<string, Unproved>;
  /** Blocks that were allocated before the first loop, which are there for good; all others belong to their region. */
  readonly lasting: Set<SymbolicObject>;
  /** Is the start of the program being encoded? */
  setStart(isStart: boolean): void;
};

/** Frames have the numbers that a recorded run gives them: 0 is the initialiser's, 1 the entry function's. */
export const initializerFrame = 0;
export const entryFrame = 1;

/** More objects than this are not tried as what a pointer may point to. */
const mostTargets = 6;

export function createRegionContext(
  symbols: Symbols,
  question: Question,
  cuts: ReadonlySet<string> = new Set(),
  isCut: (node: InlinedNode) => boolean = () => false,
): RegionContext {
  const { program } = symbols;
  const { property } = question;
  const holes = new Map<string, Hole>();
  const approximations = new Map<string, Approximation>();
  const unproved = new Map<string, Unproved>();
  const lasting = new Set<SymbolicObject>();
  const behaviours = behavioursOf(property);
  let isStart = false;
  let blocks = 0;
  const hole = (reason: string, range: SourceRange, help: string) =>
    holes.set(`${range.file}:${range.line}:${range.column}:${reason}`, { reason, range, help });
  const note = (approximation: Approximation) => {
    const { reason, range } = approximation;
    approximations.set(`${range.file}:${range.line}:${range.column}:${reason}`, approximation);
    if (isUnresolved(approximation) && (behaviours.has("null-dereference") || behaviours.has("out-of-bounds-read"))) {
      hole(reason, range, "Whether the pointer is valid is not known to the logic.");
    }
  };
  const variables = escapingVariables(program).map((id) => symbols.variableObject(entryFrame, id));
  /** Hints: nothing follows from them. */
  const pointsTo = (): readonly SymbolicObject[] => {
    const all = [...lasting, ...variables];
    return all.length <= mostTargets ? all : lasting.size <= mostTargets ? [...lasting] : [];
  };
  const environment: StepEnvironment = {
    ...bodyEnvironment(symbols, { undefinedBehaviour: overflowIn(question) }, { pointsTo, note }),
    hasNoAddresses: true,
    endsAtNull: true,
    allocate(bytes) {
      const object = symbols.heapObject(-++blocks, bytes);
      if (isStart) lasting.add(object);
      return object;
    },
  };
  const assume = (behaviour: UndefinedBehaviour, range: SourceRange) =>
    unproved.set(`${behaviour}:${range.file}:${range.line}:${range.column}`, { behaviour, range });
  const unencoded = unencodedParts(program, property, hole, assume);
  const { reaches, mayFail } = errorReach(program, property);
  const reaching = new Map<string, boolean>();
  const successors = new Map<string, readonly Successor[]>();
  const keyOf = ({ frame, location }: InlinedNode) => `${symbols.frameLabel(frame)}:${location}`;
  return {
    symbols,
    keyOf,
    isCut: (node) => isCutPoint(node) || (cuts.size > 0 && cuts.has(keyOf(node))) || isCut(node),
    property,
    behaviours,
    environment,
    holes,
    approximations,
    unproved,
    lasting,
    setStart(value) {
      isStart = value;
    },
    valueOf: (state, place) => valueOf(symbols, state, place),
    reachesError: (node) => remembered(reaching, nodeKey(node), () => reaches(node)),
    follow: (node, edge) =>
      remembered(successors, `${nodeKey(node)}:${edge.id}`, () => {
        unencoded(node.function, edge);
        return followAll(symbols, node, edge, hole, mayFail);
      }),
  };
}

/** Effects of an edge that cannot be encoded: a hole if the property needs them, else an assumption. */
function unencodedParts(
  program: Program,
  property: Property,
  hole: (reason: string, range: SourceRange, help: string) => void,
  assume: (behaviour: UndefinedBehaviour, range: SourceRange) => void,
): (fn: Function, edge: Edge) => void {
  const behaviours = behavioursOf(property);
  return (fn, edge) => {
    const { operation, range } = edge;
    const unwritten = behaviours.has("uninitialised-read") ? unwrittenAt(program, fn, edge) : [];
    for (const { kind, name, range: where } of unwritten) {
      // With the property `all`, the rest is covered on this condition.
      if (kind === "memory" && property === "all") assume("uninitialised-read", where);
      else hole(`whether ${name} has been written when it is read`, where, helpForReads);
    }
    for (const { reason, behaviours: possible } of unencodedOf(program, operation)) {
      const help = "Only runs can find such an access; nothing is proved of it.";
      if (possible.some((behaviour) => behaviours.has(behaviour))) hole(reason, range, help);
      for (const behaviour of possible) if (!behaviours.has(behaviour)) assume(behaviour, range);
    }
  };
}

const helpForReads = "Give it a value where it is declared; or leave such reads to runs, with another --property.";

/** As `follow`, and from the program's initialisation into its entry function; variables begin without a value. */
function followAll(
  symbols: Symbols,
  node: InlinedNode,
  edge: Edge,
  hole: (reason: string, range: SourceRange, help: string) => void,
  mayFail: (fn: Function) => boolean,
): readonly Successor[] {
  const { program } = symbols;
  const { operation } = edge;
  if (operation.kind === "return" && node.context === null && node.function.id === program.initializer) {
    return [intoProgram(symbols, program)];
  }
  const found = follow(symbols, node, edge);
  if (isCallEdge(edge)) {
    const callees = calleesOf(program, edge);
    const isDropped = found.some((successor) => successor.node.frame === node.frame);
    if (isDropped && callees.some(mayFail)) {
      hole(
        callees.length > 1 ? "a call of one of many functions" : "a recursive call",
        edge.range,
        "Calls are followed into their bodies; recursion has no end.",
      );
    }
    return found.map((successor) =>
      successor.node.frame === node.frame
        ? successor
        : {
            ...successor,
            step(state, environment) {
              const step = successor.step(state, environment);
              return { ...step, state: newLocals(symbols, successor.node, step.state, environment) };
            },
          },
    );
  }
  if (operation.kind !== "declare") return found;
  return found.map((successor) => ({
    ...successor,
    step(state, environment) {
      const step = successor.step(state, environment);
      return {
        ...step,
        guard: symbols.terms.and(step.guard, hasRoom(symbols, node, edge, state, environment)),
        state: newVariable(symbols, node, operation.variable, step.state, environment),
      };
    },
  }));
}

/** A run with an array that is larger than half of the address space ends there: there is no room for it. */
function hasRoom(
  symbols: Symbols,
  node: InlinedNode,
  { operation, range }: Edge,
  state: SymbolicState,
  environment: StepEnvironment,
): Term {
  const { terms, program } = symbols;
  if (operation.kind !== "declare" || operation.variableLength === undefined) return terms.bool(true);
  const { length, elementSize } = operation.variableLength;
  const { scope } = openScope(symbols, node.frame, state, range, environment);
  const bytes = terms.scale(BigInt(elementSize), translateExpression(scope, length));
  return terms.lt(bytes, terms.int(BigInt(requestLimit(program.pointerBytes))));
}

function intoProgram(symbols: Symbols, program: Program): Successor {
  const fn = nth(program.functions, program.entry);
  const node: InlinedNode = { function: fn, location: fn.entry, frame: entryFrame, context: null };
  const { terms } = symbols;
  return {
    node,
    step(state, environment) {
      const after = newLocals(symbols, node, state, environment);
      return { state: after, guard: terms.bool(true), obligations: [], facts: [] };
    },
  };
}

/** A variable whose declaration is reached holds anything: what it held in an earlier life is gone. */
function newVariable(
  symbols: Symbols,
  node: InlinedNode,
  id: number,
  state: SymbolicState,
  environment: StepEnvironment,
): SymbolicState {
  const variable = nth(symbols.program.variables, id);
  if (variable.kind === "static") return state;
  if (variable.storage === "register") {
    const value = symbols.fresh(variable.name.replace(/[|\\]/g, "_"), variable.type as ScalarType);
    return write(state, symbols.register(node.frame, variable.id), value);
  }
  const object = symbols.variableObject(node.frame, variable.id);
  const condition = symbols.terms.bool(true);
  return clobberMemory(symbols, state, { condition, tag: environment.tag(), object });
}

/** The same for all variables of a function that is entered, apart from its parameters, which have values. */
function newLocals(
  symbols: Symbols,
  node: InlinedNode,
  state: SymbolicState,
  environment: StepEnvironment,
): SymbolicState {
  let after = state;
  for (const id of node.function.locals) {
    const { type, storage, kind } = nth(symbols.program.variables, id);
    if (kind === "temporary" || (storage === "register" && !isScalar(type))) continue;
    after = newVariable(symbols, node, id, after, environment);
  }
  return after;
}

/**
 * Variables that live as long as the program's entry function and whose address is kept somewhere: what a pointer may point to
 * that was there before a loop. Those that are only accessed by name are none of them.
 */
export function escapingVariables(program: Program): readonly VariableId[] {
  const found = new Set<VariableId>();
  const isLasting = (id: VariableId) =>
    nth(program.variables, id).kind === "static" || nth(program.functions, program.entry).locals.includes(id);
  /** `isAccess`: what is there is read or written, the address is not kept. */
  const visit = (expression: Expression, isAccess: boolean): void => {
    if (expression.kind === "addressOf") {
      const { object } = expression;
      if (isAccess || object.kind !== "variable") return;
      if (isLasting(object.variable) && nth(program.variables, object.variable).literal === undefined) {
        found.add(object.variable);
      }
      return;
    }
    const isPlace = expression.kind === "offset" || expression.kind === "fieldAddress";
    for (const operand of expressionOperands(expression)) {
      const isRoot = isPlace && operand === expression.pointer;
      visit(operand, expression.kind === "load" || (isRoot && isAccess));
    }
  };
  for (const id of reachableFunctions(program)) {
    for (const { operation } of nth(program.functions, id).edges) {
      const accessed: readonly Expression[] =
        operation.kind === "store"
          ? [operation.address]
          : operation.kind === "copy"
            ? [operation.to, operation.from]
            : [];
      for (const expression of operationExpressions(operation)) visit(expression, accessed.includes(expression));
    }
  }
  return [...found];
}
