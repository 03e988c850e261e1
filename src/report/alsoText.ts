import type { Explained } from "../explain/explanation.ts";
import { callLabels } from "./callLabel.ts";
import { WIDTH } from "./gutter.ts";
import { oneLine } from "./phrases.ts";
import { shortened } from "./sectionText.ts";

const heading = "also:   ";
const between = "  |  ";

/** Lines, and how much of each statement: fewer lines before longer texts, as long as everything likely is named. */
const layouts = [
  { most: 1, longest: 34 },
  { most: 1, longest: 24 },
  { most: 2, longest: 34 },
  { most: 2, longest: 24 },
  { most: 2, longest: 18 },
] as const;

/** Once the suspects that are not shown are as unlikely as this, they fill lines and begin none. */
const unlikely = 0.03;

export type AlsoText = {
  readonly lines: readonly string[];
  /** Suspects by index. */
  readonly shown: readonly number[];
};

/** Suspects that are named without a row, as many as there is room for: `also: push:31 s->count++;  |  32 return true;`. */
export function alsoSuspects(explanation: Explained): AlsoText {
  const likely = likelyOnes(explanation);
  if (likely === 0) return { lines: [], shown: [] };
  const texts = layouts.map((layout) => layOut(explanation, layout));
  return texts.find(({ shown }) => shown.length >= likely) ?? texts.at(-1)!;
}

/** How many of those without a row it takes until the rest is unlikely. */
function likelyOnes({ suspects, also }: Explained): number {
  const isNamed = new Set(also);
  let left = suspects.reduce((sum, { weight }, i) => sum + (isNamed.has(i) ? weight : 0), 0);
  const enough = also.findIndex((index) => {
    if (left <= unlikely) return true;
    left -= suspects[index]!.weight;
    return false;
  });
  return enough === -1 ? also.length : enough;
}

function layOut(explanation: Explained, { most, longest }: (typeof layouts)[number]): AlsoText {
  const { suspects, also, failure, program } = explanation;
  const callLabel = callLabels(program.files, failure.location.file);
  const lines: string[] = [];
  const shown: number[] = [];
  let last: string | null = null;
  for (const index of also) {
    const { function: fn, location, statement } = suspects[index]!;
    const name = `${location.file} ${fn}`;
    const label = name === last ? `${location.line}` : callLabel({ function: fn, location });
    const item = `${label} ${shortened(oneLine(statement), longest)}`;
    const line = lines.at(-1);
    const isFitting = line !== undefined && line.length + between.length + item.length <= WIDTH;
    if (isFitting) lines[lines.length - 1] = `${line}${between}${item}`;
    else if (lines.length === most) break;
    else lines.push(`${lines.length === 0 ? heading : " ".repeat(heading.length)}${item}`);
    shown.push(index);
    last = name;
  }
  return { lines, shown };
}
