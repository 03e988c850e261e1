import { TracefoldError } from "../base/errors.ts";
import { encodeBlock, isCutPoint } from "../cutpoints/encodeBlock.ts";
import { enumeratePaths } from "../cutpoints/enumeratePaths.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { loopsOf } from "../ir/loops.ts";
import type { Edge } from "../ir/program.ts";
import { encodeStretch, stretchOf } from "../model/stretch.ts";
import type { Target } from "../model/target.ts";
import { type Encoder, type Encoding, encodeAt } from "../run/encodeAt.ts";
import { assumedOnWay } from "../run/executeTrace.ts";
import type { Run } from "../run/run.ts";
import { traceSurroundings } from "../run/traceSurroundings.ts";
import { bodySurroundings } from "../symbolic/bodySurroundings.ts";
import { follow } from "../symbolic/followEdge.ts";
import { type InlinedNode, nodeKey } from "../symbolic/inlinedNode.ts";
import { inState } from "../symbolic/inState.ts";
import { type SymbolicState, write } from "../symbolic/symbolicState.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { claimedAt, cutPointLabel, type FoldClaim } from "./claim.ts";
import { behind, type Claimed, claimedBehind, type Head, headOf, invariantAt, noFold } from "./claimedLoop.ts";
import { leftTriples } from "./leftTriples.ts";
import type { Triple } from "./triple.ts";
import { closeTriple, printEdges, printFormulas } from "./tripleText.ts";

/** A cut point with more ways than this gets one triple for all of them together. */
const pathLimit = 256;

/**
 * The Hoare triples that prove a folded run (000 §V remark B), made from the program, the recorded run and the claims
 * alone: each stretch of single steps leads from one invariant to the next (or from the start of the program, or to the
 * target), and each way round a folded loop keeps its invariant.
 */
export function buildTriples(
  symbols: Symbols,
  run: Run,
  target: Target,
  claims: readonly FoldClaim[],
  wanted: () => void = () => {},
): readonly Triple[] {
  assertOrder(run, target, claims);
  const triples: Triple[] = [];
  // What is lost on the way is not there later either.
  let isInexact = false;
  const add = (built: Built) => {
    isInexact ||= built.isInexact;
    triples.push(...built.triples.map((triple) => (isInexact ? { ...triple, isInexact } : triple)));
  };
  const heads = claims.map((claim) => headOf(run, claim));
  for (let i = 0; i <= claims.length; i++) {
    const from = i === 0 ? null : { claim: claims[i - 1]!, head: heads[i - 1]! };
    const to = i === claims.length ? null : { claim: claims[i]!, head: heads[i]! };
    add(stretch(symbols, run, target, from, to, i));
    if (to !== null) add(bodyTriples(symbols, run, to.claim, to.head, i + 1, wanted));
    if (to?.head.left != null) add(leftTriples(symbols, run, to, to.head.left, i + 1));
  }
  return triples;
}

/** Triples, and whether something was taken as unknown for them. */
type Built = { readonly triples: readonly Triple[]; readonly isInexact: boolean };

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
    const surroundings = traceSurroundings(symbols, run, encoding);
    return { executed: reached, conclusion: target.formula(symbols, reached, surroundings(target.step)) };
  });
  const { executed, conclusion } = result;
  const edges = singleSteps.steps.map(({ edge }) => edge);
  const shown = after === null ? target.text : printFormulas(symbols, [after]);
  const triple = closeTriple(symbols, {
    name: to === null ? "target" : `loop${index + 1}-entry`,
    role: to === null ? "target" : "entry",
    range: edges[0]?.range ?? target.range,
    text: `{ ${printFormulas(symbols, before)} } ${printEdges(run.program, edges)} { ${shown} }`,
    hypotheses: [...before, ...assumedOnWay(executed)],
    conclusion,
    witnessed: to === null ? "target" : `loop${index + 1}-entry`,
  });
  return { triples: [triple], isInexact: notes.length > 0 };
}

/** One triple for each way between the loop's cut points, or one for all of them where there are too many. */
function bodyTriples(
  symbols: Symbols,
  run: Run,
  claim: FoldClaim,
  head: Head,
  number: number,
  wanted: () => void,
): Built {
  const loop = loopsOf(head.node.function).loopWithHeader(head.node.location)!;
  const isInside = (node: InlinedNode) => node.frame !== head.node.frame || loop.body.has(node.location);
  const anyway = encodeAt(symbols, run, { step: claim.end, location: head.node.location, stack: head.stack });
  const encoder: Encoder = (work) => anyway((encoding) => work({ ...encoding, wanted }));
  const rounds = symbols.rounds(head.node);
  const isCounted = Object.hasOwn(claim.sorts, rounds.name);
  const goesOn = symbols.terms.lt(rounds, symbols.terms.int(head.visits.length - 1));
  const oneMore = (state: SymbolicState) => write(state, rounds, symbols.terms.add(rounds, symbols.terms.int(1n)));
  const triples: Triple[] = [];
  const seen = new Set<string>();
  let isInexact = false;
  const work: InlinedNode[] = [head.node];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (seen.has(nodeKey(node))) continue;
    seen.add(nodeKey(node));
    const { ways, isInexact: isLossy } = waysFrom(symbols, run, node, isInside, encoder);
    isInexact ||= isLossy;
    for (const way of ways) {
      work.push(way.end);
      const before = claimedAt(symbols, claim, cutPointLabel(symbols, node));
      const after = symbols.terms.all(claimedAt(symbols, claim, cutPointLabel(symbols, way.end)));
      triples.push(
        closeTriple(symbols, {
          name: `loop${number}-body-${triples.length + 1}`,
          role: "body",
          range: way.edges[0]?.range ?? head.node.function.range,
          text: `{ ${printFormulas(symbols, before)} } ${printEdges(run.program, way.edges)} { ${printFormulas(symbols, [after])} }`,
          // Only the rounds of the run are to be shown, where they are counted.
          hypotheses: [...before, ...way.assumptions, ...(isCounted ? [goesOn] : [])],
          conclusion: inState(symbols, nodeKey(way.end) === nodeKey(head.node) ? oneMore(way.state) : way.state, after),
          witnessed: `loop${number}-body`,
        }),
      );
    }
  }
  assertCutPoints(symbols, claim, head, isInside);
  return { triples: triples.length > 0 ? triples : [noWayRound(symbols, claim, head, number)], isInexact };
}

/** A claim says one thing about each cut point, and nothing about other points: nobody would look at it. */
function assertCutPoints(
  symbols: Symbols,
  claim: FoldClaim,
  head: Head,
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
    for (const edge of controlFlowOf(node.function).outgoing[node.location]!) {
      for (const { node: next } of follow(symbols, node, edge)) {
        if (isInside(next) && !seen.has(nodeKey(next))) seen.set(nodeKey(next), next);
      }
    }
  }
  return [...seen.values()].filter(isCutPoint);
}

/** The run went round; a model in which nothing does is wrong, and nothing is proved by it. */
function noWayRound(symbols: Symbols, claim: FoldClaim, head: Head, number: number): Triple {
  return {
    name: `loop${number}-body`,
    role: "body",
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
  const options = (encoding: Encoding) => ({ isInside, surroundings: bodySurroundings(symbols, run, encoding) });
  const { result: paths, notes } = encoder((encoding) => enumeratePaths(symbols, node, options(encoding), pathLimit));
  if (paths !== null) return { ways: paths, isInexact: notes.length > 0 };
  const { result: block, notes: said } = encoder((encoding) => encodeBlock(symbols, node, options(encoding)));
  const ways = block.ends.map((end) => ({
    edges: [] as readonly Edge[],
    end: end.node,
    assumptions: [...block.definitions, end.guard],
    state: end.state,
  }));
  return { ways, isInexact: said.length > 0 };
}
