import { encodeBlock } from "../cutpoints/encodeBlock.ts";
import { loopsOf } from "../ir/loops.ts";
import { encodeAt } from "../run/encodeAt.ts";
import type { Run } from "../run/run.ts";
import { bodySurroundings } from "../symbolic/bodySurroundings.ts";
import { type InlinedNode, nodeKey } from "../symbolic/inlinedNode.ts";
import { inState } from "../symbolic/inState.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { claimedAt, cutPointLabel } from "./claim.ts";
import { type Claimed, claimedBehind, noFold } from "./claimedLoop.ts";
import type { Triple } from "./triple.ts";
import { closeTriple, printEdges, printFormulas } from "./tripleText.ts";

/**
 * One triple for each step by which a loop's fold is left, for all ways to it from a cut point together. Of loops that functions go
 * through on the way out nothing is known; on a way through another loop of the same activation the head could be come to again,
 * without its invariant: that is no way out.
 */
export function leftTriples(
  symbols: Symbols,
  run: Run,
  at: Claimed,
  left: InlinedNode,
  number: number,
): { readonly triples: readonly Triple[]; readonly isInexact: boolean } {
  const { claim, head } = at;
  const loop = loopsOf(head.node.function).loopWithHeader(head.node.location)!;
  const isInside = (node: InlinedNode) => node.frame !== head.node.frame || node.location !== left.location;
  const encoder = encodeAt(symbols, run, { step: claim.end, location: head.node.location, stack: head.stack });
  const after = symbols.terms.all(claimedBehind(symbols, at));
  const triples: Triple[] = [];
  const seen = new Set<string>();
  let isInexact = false;
  const work: InlinedNode[] = [head.node];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (seen.has(nodeKey(node))) continue;
    seen.add(nodeKey(node));
    const start = node;
    const { result: block, notes } = encoder((encoding) =>
      encodeBlock(symbols, start, { isInside, surroundings: bodySurroundings(symbols, run, encoding) }),
    );
    isInexact ||= notes.length > 0;
    for (const end of block.ends) {
      if (end.node.frame === head.node.frame && !loop.body.has(end.node.location)) throw noFold(run, claim);
      work.push(end.node);
    }
    const before = claimedAt(symbols, claim, cutPointLabel(symbols, node));
    for (const leave of block.leaves) {
      if (leave.to === null || nodeKey(leave.to) !== nodeKey(left)) continue;
      triples.push(
        closeTriple(symbols, {
          name: `loop${number}-left-${triples.length + 1}`,
          role: "left",
          range: leave.edge.range,
          text: `{ ${printFormulas(symbols, before)} } any way to ${printEdges(run.program, [leave.edge])} { ${printFormulas(symbols, [after])} }`,
          hypotheses: [...before, ...block.definitions, leave.guard],
          conclusion: inState(symbols, leave.state, after),
          witnessed: `loop${number}-left`,
        }),
      );
    }
  }
  if (triples.length === 0) throw noFold(run, claim);
  return { triples, isInexact };
}
