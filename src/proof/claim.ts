import { nth, present } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { afterRounds } from "../cutpoints/loopSystem.ts";
import { type Loop, loopsOf } from "../ir/loops.ts";
import type { LocationId } from "../ir/program.ts";
import { parseSmtLib } from "../logic/parseSmtLib.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import { isMadeUpName, type Sort, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import type { FoldedLoop } from "../recordedRun/foldedRun.ts";
import type { LiveFrame, Run } from "../recordedRun/run.ts";
import type { InlinedNode } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";

/**
 * All that a proof says beyond the program and the run: between two arrivals at a loop's head the run is replaced by
 * formulas at the loop's cut points. Text, so that whoever checks it shares nothing with whoever found it.
 */
export type FoldClaim = {
  /** The steps that come right after the first and the last arrival that the fold stands for. */
  readonly begin: number;
  readonly end: number;
  readonly invariants: readonly {
    /** The cut point: activation and location. */
    readonly at: string;
    /** SMT-LIB terms over the program's places. */
    readonly formulas: readonly string[];
  }[];
  /**
   * Set if the way out of the loop is replaced too: the step before which it ends, which is at a location of the loop's own
   * activation, and what holds there.
   */
  readonly left?: { readonly step: number; readonly formulas: readonly string[] };
  /** Sorts of the places that the formulas mention. */
  readonly sorts: Readonly<Record<string, Sort>>;
};

export function cutPointLabel(symbols: Symbols, node: InlinedNode): string {
  return `${symbols.frameLabel(node.frame)}:${node.location}`;
}

export function claimOf(
  symbols: Symbols,
  fold: FoldedLoop,
  left?: { readonly step: number; readonly facts: readonly Term[] },
): FoldClaim {
  const { annotation, system, begin, end } = fold;
  const formulas = [...annotation.values()].flat().concat(left?.facts ?? []);
  return {
    begin,
    end,
    invariants: [...annotation].map(([key, conjunction]) => ({
      at: cutPointLabel(symbols, present(system.blocks.get(key)).start),
      formulas: conjunction.map(printSmtLib),
    })),
    ...(left === undefined ? {} : { left: { step: left.step, formulas: left.facts.map(printSmtLib) } }),
    sorts: Object.fromEntries(freeVariablesOf(formulas).map(({ name, sort }) => [name, sort])),
  };
}

/**
 * The formulas of a claim at a cut point; none said means `true`. A claim speaks of places of the program only: with the
 * unknowns that the conditions introduce it could say more than it has to prove.
 */
export function claimedAt(symbols: Symbols, claim: FoldClaim, at: string): readonly Term[] {
  const formulas = claim.invariants.find((invariant) => invariant.at === at)?.formulas ?? [];
  return formulas.map((text) => parseFormula(symbols.terms, claim, text));
}

/** The source of formulas: it has the sorts of the places that they mention. */
export type Formulas = Pick<FoldClaim, "sorts">;

export function parseFormula(terms: Terms, claim: Formulas, text: string): Term {
  const term = parseClaimed(terms, claim, text);
  if (term.sort !== "Bool") throw noFormula(`a proof claims ${text.slice(0, 200)}, which is neither true nor false`);
  return term;
}

export function parseNumber(terms: Terms, claim: Formulas, text: string): Term {
  const term = parseClaimed(terms, claim, text);
  if (term.sort !== "Int") throw noFormula(`a proof counts with ${text.slice(0, 200)}, which is no number`);
  return term;
}

function parseClaimed(terms: Terms, claim: Formulas, text: string): Term {
  const unknown = Object.keys(claim.sorts).find(isMadeUpName);
  if (unknown !== undefined) throw noFormula(`a proof's formula mentions ${unknown}, which is no place`);
  let term: Term;
  try {
    term = parseSmtLib(terms, text, (name) => (Object.hasOwn(claim.sorts, name) ? claim.sorts[name]! : null));
  } catch (error) {
    // The reader relies on its text being well-formed and well-sorted; this one is anybody's.
    if (error instanceof TracefoldError) throw error;
    throw noFormula(`a proof's formula cannot be read: ${text.slice(0, 200)} (${(error as Error).message})`);
  }
  return term;
}

function noFormula(message: string): TracefoldError {
  return new TracefoldError({
    code: "TF148",
    message,
    help: "Make the proof again, with --proof DIR.",
  });
}

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
