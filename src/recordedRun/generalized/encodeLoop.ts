import { nth, present } from "../../base/checked.ts";
import { type BlockLeave, encodeBlock, visitCutPoints } from "../../cutpoints/block.ts";
import { insideOf, type LoopBlock, type LoopSystem, withNames } from "../../cutpoints/loopSystem.ts";
import { unassignedReadsOf } from "../../ir/dataFlow.ts";
import { loopRange } from "../../ir/loops.ts";
import type { Edge, LocationId } from "../../ir/program.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { freeVariablesOf, substitute } from "../../logic/traverse.ts";
import { follow, type InlinedNode, isCallEdge, nodeKey } from "../../symbolic/followEdge.ts";
import { bodyEnvironment, type StepEnvironment } from "../../symbolic/stepEnvironment.ts";
import { originState, type SymbolicState } from "../../symbolic/symbolicState.ts";
import { openScope } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { encodeAt } from "../executeTrace.ts";
import type { FoldedLoop } from "../foldedRun.ts";
import type { LiveFrame, Run, RunPoint } from "../run.ts";
import { accessObligations, endsBlocks, libraryObligations } from "./accessObligations.ts";
import type { LoopPiece, ObligedBlock } from "./encodeRuns.ts";
import type { MemoryLife } from "./memoryLife.ts";
import { mustBeDefined, ofOperation, type RunObligation } from "./runObligation.ts";

/** The loop's own part, and the ways on which runs go on behind it. */
export type EncodedLoop = {
  readonly piece: Omit<LoopPiece, "exits" | "chosen">;
  /** Those of the recorded run, with the cut points that they start from. */
  readonly exits: readonly { readonly cutPoint: string; readonly leave: BlockLeave }[];
  readonly environment: StepEnvironment;
};

/** More places than at first may turn out to be written, and those are not known any more: it is begun again so often. */
const rounds = 8;

/** A folded loop of every run: its body over what is known in front of it, with what must be shown of each operation. */
export function encodeLoop(
  symbols: Symbols,
  run: Run,
  fold: FoldedLoop,
  entry: SymbolicState,
  leaving: Leaving | null,
  life: MemoryLife,
): EncodedLoop {
  const { activation, end, begin } = fold;
  const at: RunPoint = { step: end, location: activation.loop.header, stack: activation.stack };
  const encoder = encodeAt(symbols, run, at);
  const written = new Set<Variable>(fold.written);
  let anyMemory = fold.writesAnyMemory;
  const frames = new Set(activation.stack.map(({ frame }) => frame));
  for (let round = 0; ; round++) {
    life.entered({ at: { ...at, step: begin }, written, anyMemory });
    life.inFrames(frames);
    const versions = new Map<Variable, Term>();
    const earlier = (formula: Term) => earlierForm(symbols, written, versions, formula);
    const state = round === rounds ? originState : knownInLoop(symbols, entry, written, anyMemory, earlier);
    const { result } = encoder((encoding) => {
      const environment = bodyEnvironment(symbols, run, encoding);
      return { environment, ...encodeBlocks(symbols, run, fold, state, leaving, environment, { life, at }) };
    });
    const { environment, system, blocks, exits } = result;
    const clobbersMore = [...system.blocks.values()].some(({ ends }) =>
      ends.some((end) => end.state.clobbers.length > state.clobbers.length),
    );
    // A value in the state was not written before; another value for it was.
    const more = changedPlaces(system, state).filter((place) => !written.has(place));
    if (round < rounds && (more.length > 0 || (clobbersMore && !anyMemory))) {
      for (const place of more) written.add(place);
      anyMemory ||= clobbersMore;
      continue;
    }
    const range = loopRange(activation.function, activation.loop);
    return { piece: { kind: "loop", fold, range, entry, earlier, state, system, blocks }, exits, environment };
  }
}

/** Places to which some way gives another value than the state has for all cut points. */
function changedPlaces(system: LoopSystem, state: SymbolicState): readonly Variable[] {
  const changed = new Set<Variable>();
  for (const { ends } of system.blocks.values()) {
    for (const end of ends) {
      for (const [place, value] of end.state.values) {
        if (state.values.get(place) !== value) changed.add(place);
      }
    }
  }
  return [...changed];
}

/** Names of places mean their values in the loop; in what was said before they meant earlier ones. */
function earlierForm(
  symbols: Symbols,
  written: ReadonlySet<Variable>,
  versions: Map<Variable, Term>,
  formula: Term,
): Term {
  for (const variable of freeVariablesOf([formula])) {
    if (!versions.has(variable) && isPlace(symbols, written, variable))
      versions.set(variable, symbols.version(variable));
  }
  return substitute(symbols.terms, formula, versions);
}

/** Unknowns of encodings, inputs and addresses that the loop does not change mean the same everywhere. */
function isPlace(symbols: Symbols, written: ReadonlySet<Variable>, variable: Variable): boolean {
  if (variable.madeUp) return false;
  const cell = symbols.cellOf(variable);
  if (cell?.kind === "input") return false;
  if (symbols.isBase(variable)) return written.has(variable);
  return true;
}

/** The facts of the state before the loop about places that the loop does not write. */
function knownInLoop(
  symbols: Symbols,
  entry: SymbolicState,
  written: ReadonlySet<Variable>,
  anyMemory: boolean,
  earlier: (formula: Term) => Term,
): SymbolicState {
  let { values } = originState;
  for (const [place, value] of entry.values) {
    const cell = symbols.cellOf(place);
    if (anyMemory && cell?.kind === "region" && symbols.isReachable(cell.object)) continue;
    values = values.set(place, earlier(value));
  }
  for (const place of written) {
    // A register that has no value in front of the loop may have none behind it either.
    if (symbols.cellOf(place)?.kind !== "register" || entry.values.has(place)) values = values.set(place, place);
  }
  const clobbers = entry.clobbers.map((clobber) => ({ ...clobber, condition: earlier(clobber.condition) }));
  return { values, clobbers: anyMemory ? [] : clobbers };
}

type BodyContext = { readonly life: MemoryLife; readonly at: RunPoint };

/** The blocks of a loop system with the state at all of its cut points, their obligations, and where they leave it. */
function encodeBlocks(
  symbols: Symbols,
  run: Run,
  { system: { root }, activation }: FoldedLoop,
  state: SymbolicState,
  leaving: Leaving | null,
  environment: StepEnvironment,
  context: BodyContext,
): { readonly system: LoopSystem; readonly blocks: Map<string, ObligedBlock>; readonly exits: EncodedLoop["exits"] } {
  const isInside = insideOf(root);
  const blocks = new Map<string, LoopBlock>();
  const obliged = new Map<string, ObligedBlock>();
  const exits: { cutPoint: string; leave: BlockLeave }[] = [];
  const isExit = ({ to, edge, from }: BlockLeave): boolean => {
    if (leaving === null) return false;
    if (to !== null) return to.frame === activation.frame && to.location === leaving.to;
    return leaving.to === null && edge.operation.kind === "return" && from.context === null;
  };
  visitCutPoints(root, (node) => {
    const key = nodeKey(node);
    const beyondSteps: (RunObligation & { guard: Term })[] = [];
    const block = encodeBlock(symbols, node, {
      isInside,
      environment,
      state,
      visit(at, edge, before) {
        const isTarget = isGoal(run, at, edge);
        for (const obligation of obligationsInBody(symbols, run, at, edge, before.state, environment, context)) {
          if (isTarget && isSameProblem(run, obligation)) continue;
          beyondSteps.push({ ...obligation, guard: before.guard });
        }
        return undefined;
      },
    });
    blocks.set(key, withNames(symbols, block));
    const leaves = block.leaves.filter(({ from, edge, to }) => to !== null || !endsAsRecorded(run, from, edge));
    for (const leave of leaves) if (isExit(leave)) exits.push({ cutPoint: key, leave });
    const ofSteps = block.obligations
      .filter(({ range, problem }) => !isTargetProblem(run, range, problem))
      .map((obligation) => ({ ...ofOperation(obligation), guard: obligation.guard }));
    const detours = leaves.filter((leave) => !isExit(leave));
    obliged.set(key, { start: node, obligations: [...ofSteps, ...beyondSteps], detours });
    return block.ends.map((end) => end.node);
  });
  return { system: { root, blocks }, blocks: obliged, exits };
}

/** The failure of the recorded run, in whatever round. */
function endsAsRecorded(run: Run, from: InlinedNode, edge: Edge): boolean {
  return run.outcome.kind !== "undefined-behaviour" && isGoal(run, from, edge);
}

function isSameProblem({ outcome }: Run, { what }: RunObligation): boolean {
  return outcome.kind === "undefined-behaviour" && what.kind === "undefined" && what.problem === outcome.problem;
}

function isTargetProblem({ outcome, program }: Run, { file, line, column }: Edge["range"], problem: string): boolean {
  if (outcome.kind !== "undefined-behaviour" || outcome.problem !== problem) return false;
  const { range } = nth(nth(program.functions, outcome.at.function).edges, outcome.at.edge);
  return range.file === file && range.line === line && range.column === column;
}

/** The requirements of an operation in a folded loop beyond the obligations of its step. */
function obligationsInBody(
  symbols: Symbols,
  run: Run,
  node: InlinedNode,
  edge: Edge,
  state: SymbolicState,
  environment: StepEnvironment,
  { life, at }: BodyContext,
): readonly RunObligation[] {
  const { operation, range } = edge;
  const { scope } = openScope(symbols, node.frame, state, range, environment);
  const unassigned = unassignedReadsOf(run.program, node.function).get(edge.id);
  const context = {
    scope,
    life,
    at,
    isUnassigned: (variable: number) => unassigned?.has(variable) ?? false,
    asRecorded: () => null,
  };
  const obligations: RunObligation[] = [...accessObligations(context, operation)];
  if (operation.kind === "callLibrary") {
    obligations.push(...libraryObligations(context, operation));
    if (endsBlocks(operation)) {
      life.freesAnything();
      obligations.push(mustBeDefined("invalid-free", null, range));
    }
  }
  if (operation.kind === "copy") obligations.push(mustBeDefined("invalid-pointer", null, range));
  if (operation.kind === "declare" && operation.variableLength !== undefined)
    obligations.push(mustBeDefined("array-length", null, range));
  if (isCallEdge(edge)) {
    const successors = follow(symbols, node, edge);
    // A call that is not followed may do anything.
    if (successors.some(({ node: next }) => next.frame === node.frame))
      obligations.push(mustBeDefined("bad-call", null, range));
    else if (edge.operation.callee.kind === "pointer") {
      const guards = successors.map(({ step }) => step(state, environment).guard);
      obligations.push(mustBeDefined("bad-call", symbols.terms.any(guards), range));
    }
  }
  return obligations;
}

/** How the recorded run leaves a folded loop for good: to a location of its frame, or (null) with its frame. */
export type Leaving = {
  /** The first step behind the loop, and the frames that are live there. */
  readonly step: number;
  readonly stack: readonly LiveFrame[];
  readonly to: LocationId | null;
};

/** Null where the run ends inside of the loop. */
export function leavingOf(run: Run, { activation, end }: FoldedLoop): Leaving | null {
  const { loop, stack } = activation;
  const live: LiveFrame[] = [...stack];
  for (const { step, edge, entered } of run.between(end, run.steps).steps) {
    const isOwn = live.length === stack.length;
    const { operation } = edge;
    let to = edge.to;
    if (operation.kind === "return") {
      const left = live.pop();
      if (isOwn) return { step: step + 1, stack: live, to: null };
      if (live.length > stack.length) continue;
      to = present(left!.call).to;
    } else if (entered !== undefined) {
      live.push(entered);
      continue;
    } else if (!isOwn) continue;
    if (!loop.body.has(to)) return { step: step + 1, stack: live, to };
  }
  return null;
}

/** Is this the operation with which the recorded run fails? */
function isGoal({ outcome }: Run, { function: fn }: Pick<InlinedNode, "function">, edge: Edge): boolean {
  switch (outcome.kind) {
    case "assertion":
    case "error-location":
    case "abort":
    case "undefined-behaviour":
      // The sides of a branch evaluate one condition.
      return outcome.at.function === fn.id && nth(fn.edges, outcome.at.edge).from === edge.from;
    default:
      return false;
  }
}
