import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { afterRounds } from "../cutpoints/loopSystem.ts";
import { type Loop, loopsOf } from "../ir/loops.ts";
import type { LocationId } from "../ir/program.ts";
import type { Term } from "../logic/term.ts";
import type { LiveFrame, Run } from "../recordedRun/run.ts";
import type { InlinedNode } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { claimedAt, cutPointLabel, type FoldClaim, parseFormula } from "./claim.ts";

/** The head of a claimed loop at a point of the run. */
export type ClaimedHead = {
  readonly node: InlinedNode;
  readonly stack: readonly LiveFrame[];
  /** The arrivals from the claim's first to its last. */
  readonly visits: readonly number[];
  /** The location at which the way out ends, in the same activation; null if only rounds are claimed. */
  readonly left: InlinedNode | null;
};
export type Claimed = { readonly claim: FoldClaim; readonly head: ClaimedHead };

const knownHeads = new WeakMap<Run, Map<string, ClaimedHead>>();

/** Both ends of a claim are arrivals at the same loop in the same activation; anything else is no fold. */
export function headOf(run: Run, claim: FoldClaim): ClaimedHead {
  // Found by walking through all of the loop, which may be most of a long run.
  const known = knownHeads.get(run) ?? new Map<string, ClaimedHead>();
  knownHeads.set(run, known);
  const key = `${claim.begin} ${claim.end} ${claim.left?.step}`;
  const head = known.get(key) ?? findHead(run, claim);
  known.set(key, head);
  return head;
}

function findHead(run: Run, claim: FoldClaim): ClaimedHead {
  const { steps, stack } = run.between(claim.begin, claim.begin + 1);
  const top = stack[stack.length - 1];
  const location = steps[0]?.edge.from;
  const loop = top === undefined || location === undefined ? null : loopsOf(top.function).loopWithHeader(location);
  if (top === undefined || location === undefined || loop === null) throw noFold(run, claim);
  const outer = loopsAround(loop);
  const found = run.activations({
    from: claim.begin,
    to: claim.end + 1,
    isTransparent: (frame, other) => frame === top.frame && outer.has(other.header),
  })[0];
  const last = found?.visits.indexOf(claim.end) ?? -1;
  if (found === undefined || found.frame !== top.frame || found.loop !== loop || last < 0) throw noFold(run, claim);
  const visits = found.visits.slice(0, last + 1);
  if (visits[0] !== claim.begin) throw noFold(run, claim);
  const node: InlinedNode = { function: top.function, location, frame: top.frame, context: null };
  return { node, stack, visits, left: leftAt(run, claim, node) };
}

/** The location at which the way out of a claimed loop ends. */
function leftAt(run: Run, claim: FoldClaim, head: InlinedNode): InlinedNode | null {
  if (claim.left === undefined) return null;
  const { steps, stack } = run.between(claim.left.step, claim.left.step + 1);
  const top = stack[stack.length - 1];
  const location = steps[0]?.edge.from;
  if (top?.frame !== head.frame || location === undefined) throw noFold(run, claim);
  return { ...head, location };
}

/** Heads of the loops around one: their own arrivals are looked through. */
function loopsAround(loop: Loop): ReadonlySet<number> {
  const heads = new Set<number>();
  for (let outer = loop.parent; outer !== null; outer = outer.parent) heads.add(outer.header);
  return heads;
}

export function noFold(run: Run, claim: FoldClaim): TracefoldError {
  return new TracefoldError({
    code: "TF147",
    message: `steps ${claim.begin} to ${claim.end} of the run are not iterations of one loop`,
    range: nth(run.program.functions, run.program.entry).range,
    help: "The proof is not one of this program and run.",
  });
}

/** The point behind a fold at which single steps go on. */
export function behind({ claim, head }: Claimed): { readonly step: number; readonly location: LocationId } {
  if (claim.left === undefined || head.left === null) return { step: claim.end, location: head.node.location };
  return { step: claim.left.step, location: head.left.location };
}

export function claimedBehind(symbols: Symbols, from: Claimed): readonly Term[] {
  const { left } = from.claim;
  if (left === undefined) return invariantAt(symbols, from, from.head.visits.length - 1);
  return left.formulas.map((text) => parseFormula(symbols.terms, from.claim, text));
}

/** The claim at a loop's head after some number of rounds. */
export function invariantAt(symbols: Symbols, { claim, head }: Claimed, rounds: number): readonly Term[] {
  return afterRounds(
    symbols,
    symbols.rounds(head.node),
    rounds,
    claimedAt(symbols, claim, cutPointLabel(symbols, head.node)),
  );
}
