import type { Explained } from "../explain/explanation.ts";
import { callLabels } from "./callLabel.ts";
import { WIDTH } from "./gutter.ts";
import { oneLine } from "./phrases.ts";
import { shortened } from "./sectionText.ts";

const longestStatement = 34;
const mostLines = 2;
const heading = "also:   ";

/** Suspects that are named without a row, as many as there is room for: `also: push:31 s->count++;  |  32 return true;`. */
export function alsoSuspects(explanation: Explained): {
  readonly lines: readonly string[];
  readonly shown: readonly number[];
} {
  const { suspects, also, failure, program } = explanation;
  const callLabel = callLabels(program.files, failure.location.file);
  const lines: string[] = [];
  const shown: number[] = [];
  let last: string | null = null;
  for (const index of also) {
    const { function: fn, location, statement } = suspects[index]!;
    const name = `${location.file} ${fn}`;
    const label = name === last ? `${location.line}` : callLabel({ function: fn, location });
    const item = `${label} ${shortened(oneLine(statement), longestStatement)}`;
    const line = lines.at(-1);
    if (line !== undefined && line.length + 5 + item.length <= WIDTH) lines[lines.length - 1] = `${line}  |  ${item}`;
    else if (lines.length === mostLines) break;
    else lines.push(`${lines.length === 0 ? heading : " ".repeat(heading.length)}${item}`);
    shown.push(index);
    last = name;
  }
  return { lines, shown };
}
