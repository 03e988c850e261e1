import { nth, present } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { encodeBlock, enumeratePaths, isCutPoint, visitCutPoints } from "../cutpoints/block.ts";
import { closeObligation, type Obligation } from "../cutpoints/obligation.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { loopsOf } from "../ir/loops.ts";
import { printOperation } from "../ir/printOperation.ts";
import type { Edge, Program } from "../ir/program.ts";
import { printSource } from "../logic/printSource.ts";
import type { Term } from "../logic/term.ts";
import {
  assumedOnWay,
  type Encoder,
  encodeAt,
  type RunEncoding,
  traceEnvironment,
} from "../recordedRun/executeTrace.ts";
import { encodeStretch, stretchOf } from "../recordedRun/foldedRun.ts";
import type { Run } from "../recordedRun/run.ts";
import type { Target } from "../recordedRun/target.ts";
import { follow, type InlinedNode, nodeKey } from "../symbolic/followEdge.ts";
import { placeStyle } from "../symbolic/placeStyle.ts";
import { bodyEnvironment } from "../symbolic/stepEnvironment.ts";
import { inState, type SymbolicState, write } from "../symbolic/symbolicState.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import {
  behind,
  type Claimed,
  type ClaimedHead,
  claimedAt,
  claimedBehind,
  cutPointLabel,
  type FoldClaim,
  headOf,
  invariantAt,
  noFold,
} from "./claim.ts";

/** A cut point with more ways than this gets one obligation for all of them together. */
const pathLimit = 256;

/**
 * The obligations, as Hoare triples, that prove a folded run (000 §V remark B), made from the program, the recorded run and the claims
 * alone: each stretch of single steps leads from one invariant to the next (or from the start of the program, or to the
 * target), and each way round a folded loop keeps its invariant.
 */
export function foldObligations(
  symbols: Symbols,
  run: Run,
  target: Target,
  claims: readonly FoldClaim[],
  wanted: () => void = () => {},
): readonly Obligation[] {
  assertOrder(run, target, claims);
  const obligations: Obligation[] = [];
  // If something is inexact on the way, everything behind it is.
  let isInexact = false;
  const add = (built: Built, fold: number | null) => {
    isInexact ||= built.isInexact;
    const about = { ...(fold === null ? {} : { fold }), ...(isInexact ? { isInexact } : {}) };
    obligations.push(...built.obligations.map((obligation) => ({ ...obligation, ...about })));
  };
  const heads = claims.map((claim) => headOf(run, claim));
  for (let i = 0; i <= claims.length; i++) {
    const from = i === 0 ? null : { claim: nth(claims, i - 1), head: nth(heads, i - 1) };
    const to = i === claims.length ? null : { claim: nth(claims, i), head: nth(heads, i) };
    const fold = to === null ? null : i;
    add(stretch(symbols, run, target, from, to, i), fold);
    if (to !== null) add(bodyObligations(symbols, run, to.claim, to.head, i + 1, wanted), fold);
    if (to?.head.left != null) add(exitObligations(symbols, run, to, to.head.left, i + 1), fold);
  }
  return obligations;
}

/** Obligations, and whether something was taken as unknown for them. */
type Built = { readonly obligations: readonly Obligation[]; readonly isInexact: boolean };

/** Folds follow each other and end before the target: a proof does not go back in time. */
function assertOrder(run: Run, target: Target, claims: readonly FoldClaim[]): void {
  let reached = 0;
  for (const claim of claims) {
    const end = claim.left?.step ?? claim.end;
    const isForward = claim.begin < claim.end && claim.end <= end;
    if (claim.begin < reached || !isForward || end > target.step) throw noFold(run, claim);
    reached = end;
  }
}

/** Single steps from one invariant (or the start) to the next (or the target). */
function stretch(
  symbols: Symbols,
  run: Run,
  target: Target,
  from: Claimed | null,
  to: Claimed | null,
  index: number,
): Built {
  const start = from === null ? null : { ...behind(from), stack: from.head.stack };
  const singleSteps = stretchOf(run, start, to === null ? target.step : to.claim.begin);
  const before = from === null ? [] : claimedBehind(symbols, from);
  const after = to === null ? null : symbols.terms.all(invariantAt(symbols, to, 0));
  const { result, notes } = encodeStretch(symbols, run, singleSteps, (reached, encoding) => {
    if (after !== null) return { executed: reached, conclusion: inState(symbols, reached.state, after) };
    const environment = traceEnvironment(symbols, run, encoding);
    return { executed: reached, conclusion: target.formula(symbols, reached, environment(target.step)) };
  });
  const { executed, conclusion } = result;
  const edges = singleSteps.steps.map(({ edge }) => edge);
  const shown = after === null ? target.text : printFormulas(symbols, [after]);
  const obligation = closeObligation(symbols, {
    name: to === null ? "target" : `loop${index + 1}-entry`,
    kind: to === null ? "target" : "entry",
    range: edges[0]?.range ?? target.range,
    text: `{ ${printFormulas(symbols, before)} } ${printEdges(run.program, edges)} { ${shown} }`,
    hypotheses: [...before, ...assumedOnWay(executed)],
    conclusion,
    witnessed: to === null ? "target" : `loop${index + 1}-entry`,
  });
  return { obligations: [obligation], isInexact: notes.length > 0 };
}

/** One obligation for each way between the loop's cut points, or one for all of them where there are too many. */
function bodyObligations(
  symbols: Symbols,
  run: Run,
  claim: FoldClaim,
  head: ClaimedHead,
  number: number,
  wanted: () => void,
): Built {
  const loop = present(loopsOf(head.node.function).loopWithHeader(head.node.location));
  const isInside = (node: InlinedNode) => node.frame !== head.node.frame || loop.body.has(node.location);
  const anyway = encodeAt(symbols, run, { step: claim.end, location: head.node.location, stack: head.stack });
  const encoder: Encoder = (work) => anyway((encoding) => work({ ...encoding, wanted }));
  const rounds = symbols.rounds(head.node);
  const isCounted = Object.hasOwn(claim.sorts, rounds.name);
  const goesOn = symbols.terms.lt(rounds, symbols.terms.int(head.visits.length - 1));
  const oneMore = (state: SymbolicState) => write(state, rounds, symbols.terms.add(rounds, symbols.terms.int(1n)));
  const obligations: Obligation[] = [];
  let isInexact = false;
  visitCutPoints(head.node, (node) => {
    const { ways, isInexact: isLossy } = waysFrom(symbols, run, node, isInside, encoder);
    isInexact ||= isLossy;
    for (const way of ways) {
      const before = claimedAt(symbols, claim, cutPointLabel(symbols, node));
      const after = symbols.terms.all(claimedAt(symbols, claim, cutPointLabel(symbols, way.end)));
      obligations.push(
        closeObligation(symbols, {
          name: `loop${number}-body-${obligations.length + 1}`,
          kind: "keeps",
          range: way.edges[0]?.range ?? head.node.function.range,
          text: `{ ${printFormulas(symbols, before)} } ${printEdges(run.program, way.edges)} { ${printFormulas(symbols, [after])} }`,
          // Only the rounds of the run are to be shown, where they are counted.
          hypotheses: [...before, ...way.assumptions, ...(isCounted ? [goesOn] : [])],
          conclusion: inState(symbols, nodeKey(way.end) === nodeKey(head.node) ? oneMore(way.state) : way.state, after),
          witnessed: `loop${number}-body`,
        }),
      );
    }
    return ways.map((way) => way.end);
  });
  assertCutPoints(symbols, claim, head, isInside);
  return { obligations: obligations.length > 0 ? obligations : [noWayRound(symbols, claim, head, number)], isInexact };
}

/** A claim says one thing about each cut point, and nothing about other points: nobody would look at it. */
function assertCutPoints(
  symbols: Symbols,
  claim: FoldClaim,
  head: ClaimedHead,
  isInside: (node: InlinedNode) => boolean,
): void {
  const labels = new Set(cutPointsOf(symbols, head.node, isInside).map((node) => cutPointLabel(symbols, node)));
  for (const { at } of claim.invariants) {
    if (labels.delete(at)) continue;
    throw new TracefoldError({
      code: "TF147",
      message: `the proof claims something at ${at}, which is no cut point of the loop or has a claim already`,
      range: head.node.function.range,
      help: "The proof is not one of this program and run.",
    });
  }
}

/** The heads of the loops in a body, its own included, whether or not a way to them is possible. */
function cutPointsOf(
  symbols: Symbols,
  head: InlinedNode,
  isInside: (node: InlinedNode) => boolean,
): readonly InlinedNode[] {
  const seen = new Map([[nodeKey(head), head]]);
  // A map's values are visited in the order of insertion, also those that are added on the way.
  for (const node of seen.values()) {
    for (const edge of nth(controlFlowOf(node.function).outgoing, node.location)) {
      for (const { node: next } of follow(symbols, node, edge)) {
        if (isInside(next) && !seen.has(nodeKey(next))) seen.set(nodeKey(next), next);
      }
    }
  }
  return [...seen.values()].filter(isCutPoint);
}

/** The run went round; a model in which nothing does is wrong, and nothing is proved by it. */
function noWayRound(symbols: Symbols, claim: FoldClaim, head: ClaimedHead, number: number): Obligation {
  return {
    name: `loop${number}-body`,
    kind: "keeps",
    range: head.node.function.range,
    text: "no way round the loop was found, but the run went round",
    hypotheses: claimedAt(symbols, claim, cutPointLabel(symbols, head.node)),
    conclusion: symbols.terms.bool(false),
  };
}

function waysFrom(
  symbols: Symbols,
  run: Run,
  node: InlinedNode,
  isInside: (node: InlinedNode) => boolean,
  encoder: Encoder,
) {
  const options = (encoding: RunEncoding) => ({ isInside, environment: bodyEnvironment(symbols, run, encoding) });
  const { result: found, notes } = encoder((encoding) => enumeratePaths(symbols, node, options(encoding), pathLimit));
  if (found.isComplete) return { ways: found.paths, isInexact: notes.length > 0 };
  const { result: block, notes: said } = encoder((encoding) => encodeBlock(symbols, node, options(encoding)));
  const ways = block.ends.map((end) => ({
    edges: [] as readonly Edge[],
    end: end.node,
    assumptions: [...block.definitions, end.guard],
    state: end.state,
  }));
  return { ways, isInexact: said.length > 0 };
}

/**
 * One obligation for each step by which a loop's fold is left, for all ways to it from a cut point together. Of loops that functions go
 * through on the way out nothing is known; on a way through another loop of the same activation the head could be come to again,
 * without its invariant: that is no way out.
 */
function exitObligations(
  symbols: Symbols,
  run: Run,
  at: Claimed,
  left: InlinedNode,
  number: number,
): { readonly obligations: readonly Obligation[]; readonly isInexact: boolean } {
  const { claim, head } = at;
  const loop = present(loopsOf(head.node.function).loopWithHeader(head.node.location));
  const isInside = (node: InlinedNode) => node.frame !== head.node.frame || node.location !== left.location;
  const encoder = encodeAt(symbols, run, { step: claim.end, location: head.node.location, stack: head.stack });
  const after = symbols.terms.all(claimedBehind(symbols, at));
  const obligations: Obligation[] = [];
  let isInexact = false;
  visitCutPoints(head.node, (node) => {
    const { result: block, notes } = encoder((encoding) =>
      encodeBlock(symbols, node, { isInside, environment: bodyEnvironment(symbols, run, encoding) }),
    );
    isInexact ||= notes.length > 0;
    for (const end of block.ends) {
      if (end.node.frame === head.node.frame && !loop.body.has(end.node.location)) throw noFold(run, claim);
    }
    const before = claimedAt(symbols, claim, cutPointLabel(symbols, node));
    for (const leave of block.leaves) {
      if (leave.to === null || nodeKey(leave.to) !== nodeKey(left)) continue;
      obligations.push(
        closeObligation(symbols, {
          name: `loop${number}-left-${obligations.length + 1}`,
          kind: "exit",
          range: leave.edge.range,
          text: `{ ${printFormulas(symbols, before)} } any way to ${printEdges(run.program, [leave.edge])} { ${printFormulas(symbols, [after])} }`,
          hypotheses: [...before, ...block.definitions, leave.guard],
          conclusion: inState(symbols, leave.state, after),
          witnessed: `loop${number}-left`,
        }),
      );
    }
    return block.ends.map((end) => end.node);
  });
  if (obligations.length === 0) throw noFold(run, claim);
  return { obligations, isInexact };
}

/** The number of statements in an obligation's text. */
const statementLimit = 12;

export function printFormulas(symbols: Symbols, formulas: readonly Term[]): string {
  return formulas.length === 0 ? "true" : printSource(symbols.terms.all(formulas), placeStyle(symbols, formulas));
}

function printEdges(program: Program, edges: readonly Edge[]): string {
  if (edges.length === 0) return "any way round";
  const shown = edges.slice(0, statementLimit).map(({ operation }) => printOperation(program, operation));
  if (edges.length > statementLimit) shown.push(`… ${edges.length - statementLimit} more`);
  return shown.join("; ");
}
