import { nth, present } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { type Block, encodeBlock } from "../../cutpoints/block.ts";
import { keepImplied } from "../../cutpoints/houdini.ts";
import { immediatePostDominators } from "../../ir/dominators.ts";
import type { Edge, LocationId } from "../../ir/program.ts";
import { conjuncts, type Term } from "../../logic/term.ts";
import { assumedOnWay, encodeAt } from "../../recordedRun/executeTrace.ts";
import { encodeStretch, stretchOf } from "../../recordedRun/foldedRun.ts";
import type { Activation, Run, TraceStep } from "../../recordedRun/run.ts";
import { minimiseAssumptions } from "../../solver/solver.ts";
import { type InlinedNode, nodeKey } from "../../symbolic/followEdge.ts";
import { bodyEnvironment } from "../../symbolic/stepEnvironment.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import type { CompressedTrace } from "./compressTrace.ts";
import {
  asFoldedLoop,
  beginOf,
  type CompressContext,
  endOf,
  type Fold,
  lastVisitOf,
  needOf,
  needOfTarget,
} from "./fold.ts";
import type { PointObligation } from "./loopSite.ts";

/**
 * Also folds the exits of folded loops: the last round is one of many ways from the head to the point where all exits
 * meet. If each of them implies what the rest of the run needs, none of its steps matters. Folds inside of that round
 * are dropped.
 */
export function leaveLoops(context: CompressContext, compressed: CompressedTrace): CompressedTrace {
  const { target } = compressed;
  const folds: Fold[] = [];
  // From last to first, so that the part after a fold is known.
  for (const fold of compressed.folds.toReversed()) {
    const left = context.prover.cancellation.isCancelled() ? null : wayOut(context, fold, folds, target);
    if (left === null) folds.unshift(fold);
    else folds.splice(0, behind(folds, left.step), { ...fold, left });
  }
  const isGone = (step: number) => folds.some((fold) => lastVisitOf(fold) <= step && step < endOf(fold));
  const failures = compressed.failures.filter(({ activation: { visits } }) => !isGone(nth(visits, 0)));
  return { ...compressed, folds, failures };
}

function behind(folds: readonly Fold[], step: number): number {
  return folds.filter((fold) => beginOf(fold) < step).length;
}

type Left = NonNullable<Fold["left"]>;

/** Fewer steps are easier to read than their description. */
const fewestSteps = 3;

function wayOut(
  context: CompressContext,
  fold: Fold,
  later: readonly Fold[],
  target: CompressedTrace["target"],
): Left | null {
  const { symbols, run } = context;
  // The number of rounds is only known at the head.
  if (asFoldedLoop(symbols, fold).rounds !== null) return null;
  const exit = exitOf(run, fold, target.step);
  if (exit === null || exit.step - lastVisitOf(fold) < fewestSteps) return null;
  const { step } = exit;
  const inside = behind(later, step);
  if (later.slice(0, inside).some((inner) => endOf(inner) > step)) return null;
  const next = later[inside];
  const need = next === undefined ? needOfTarget(context, target) : needOf(symbols, next);
  const facts = factsAt(context, fold, exit, need);
  return facts !== null && facts.length < step - lastVisitOf(fold) ? { step, facts } : null;
}

type Exit = { readonly step: number; readonly location: LocationId };

/**
 * The point where all exits of a loop meet, and the run's arrival there. Exits to an error that ends the run, or that
 * end the function differently than the run, are not covered by the fold and do not count.
 */
function exitOf(run: Run, { activation: { function: fn, loop, visits } }: Fold, end: number): Exit | null {
  const steps = inFrame(run.between(present(visits.at(-1)), end).steps);
  const last = steps.at(-1)?.edge;
  const isOther = ({ operation }: Edge) => operation.kind === "return" && last?.operation.kind === "return";
  const immediate = immediatePostDominators(
    fn,
    (edge) => edge.operation.kind !== "fail" && (edge === last || !isOther(edge)),
  );
  for (let at = nth(immediate, loop.header); at !== -1 && at !== fn.exit; at = nth(immediate, at)) {
    if (loop.body.has(at as LocationId)) continue;
    const arrival = steps.find(({ edge }) => edge.from === at);
    return arrival === undefined ? null : { step: arrival.step, location: at as LocationId };
  }
  return null;
}

/** The steps in the frame of the first one, up to its return. */
function inFrame(steps: readonly TraceStep[]): readonly TraceStep[] {
  const own: TraceStep[] = [];
  let depth = 0;
  for (const each of steps) {
    if (depth === 0) own.push(each);
    if (each.entered !== undefined) depth++;
    else if (each.edge.operation.kind === "return" && --depth < 0) break;
  }
  return own;
}

/** The facts after all exits, as far as the rest of the run needs them; null if they do not suffice. */
function factsAt(context: CompressContext, fold: Fold, at: Exit, need: PointObligation): readonly Term[] | null {
  const { symbols, run, prover } = context;
  const { stack } = fold.activation;
  const { result } = encodeStretch(symbols, run, stretchOf(run, { ...at, stack }, need.step), (executed, encoding) => ({
    hypotheses: assumedOnWay(executed).flatMap(conjuncts),
    conclusion: need.conclusion(executed, encoding),
  }));
  const rest = prover.open(result.hypotheses);
  try {
    const claimed = present(fold.annotation.get(nodeKey(fold.system.root)));
    if (rest.implies(claimed, result.conclusion).kind !== "proved") return null;
    const facts = keptOnWay(context, fold, at.location, claimed);
    return minimiseAssumptions(rest, facts, result.conclusion);
  } catch (error) {
    // The code after the loop cannot be encoded.
    if (error instanceof TracefoldError) return null;
    throw error;
  } finally {
    rest.close();
  }
}

/** The facts that hold on every way from the cut points to the location. */
function keptOnWay(
  { symbols, run, prover }: CompressContext,
  { activation, annotation, system: { root } }: Fold,
  location: LocationId,
  facts: readonly Term[],
): readonly Term[] {
  const { terms } = symbols;
  const point = { step: present(activation.visits.at(-1)), location: activation.loop.header, stack: activation.stack };
  const encoder = encodeAt(symbols, run, point);
  const blocks = waysOut(activation, root, location, (node, isInside) => {
    return encoder((encoding) =>
      encodeBlock(symbols, node, { isInside, environment: bodyEnvironment(symbols, run, encoding) }),
    ).result;
  });
  let kept = blocks === null ? [] : facts;
  for (const block of blocks ?? []) {
    const goals = kept.map((fact) =>
      terms.all(
        block.leaves
          .filter(({ to }) => to?.frame === root.frame && to.location === location)
          .map(({ guard, state }) => terms.implies(guard, inState(symbols, state, fact))),
      ),
    );
    const session = prover.open(block.definitions);
    const known = annotation.get(nodeKey(block.start)) ?? [];
    const held = keepImplied(terms, session, () => known, goals);
    session.close();
    kept = kept.filter((_, i) => held.has(i));
  }
  return kept;
}

/**
 * The blocks from a loop's head to a location after it; null if another loop of its frame is between, because it may
 * lead back.
 */
function waysOut(
  { loop }: Activation,
  root: InlinedNode,
  location: LocationId,
  encode: (node: InlinedNode, isInside: (node: InlinedNode) => boolean) => Block,
): readonly Block[] | null {
  const isInside = (node: InlinedNode) => node.frame !== root.frame || node.location !== location;
  const blocks = new Map<string, Block>();
  const work = [root];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (blocks.has(nodeKey(node))) continue;
    const block = encode(node, isInside);
    blocks.set(nodeKey(node), block);
    if (block.ends.some(({ node: end }) => end.frame === root.frame && !loop.body.has(end.location))) return null;
    work.push(...block.ends.map((end) => end.node));
  }
  return [...blocks.values()];
}
