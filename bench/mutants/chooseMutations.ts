import { mulberry32 } from "../../src/interpreter/inputs.ts";
import type { Mutation, MutationKind } from "./mutation.ts";

/** The mutations of one kind in an order that depends on the program's name alone: one of each line first. */
export function inChosenOrder(
  program: string,
  kind: MutationKind,
  mutations: readonly Mutation[],
): readonly Mutation[] {
  const shuffled = shuffle(
    mutations.filter((mutation) => mutation.kind === kind),
    mulberry32(hash(`${program} ${kind}`)),
  );
  const lines = new Set<number>();
  const first = shuffled.filter(({ lines: [line] }) => line !== undefined && !lines.has(line) && lines.add(line));
  return [...first, ...shuffled.filter((mutation) => !first.includes(mutation))];
}

function shuffle<Item>(items: readonly Item[], next: () => number): Item[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}

/** FNV-1a. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const c of text) h = Math.imul(h ^ c.charCodeAt(0), 0x01000193);
  return h >>> 0;
}
