import { beforeAll, describe, expect, it } from "vitest";
import { type Strip, stripOf } from "../../page/src/strip.ts";
import type { OpenRecording } from "../../src/recording/openRecording.ts";
import { recordedC, stepAt, textAt } from "../support/recorded.ts";

const program = `static int next(int n) {
  return n + 1;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++)
      sum = next(sum);
    sum += i;
  }
  while (sum > 10)
    sum--;
  return sum;
}
`;

let open: OpenRecording;
beforeAll(async () => {
  ({ open } = await recordedC(program));
});

const shown = ({ blocks }: Strip) =>
  blocks.map(({ kind, depth, index }) => {
    const { functions, statements } = open.recording;
    return `${depth} ${kind === "call" ? functions[index] : `line ${statements[index]?.at[0]}`}`;
  });
const count = (texts: readonly string[], text: string) => texts.filter((each) => each === text).length;

describe("the strip of a run", () => {
  it("has calls and loops as nested blocks", () => {
    const texts = shown(stripOf(open, 0, open.length, 10_000));
    expect(count(texts, "0 main")).toBe(1);
    expect([count(texts, "1 line 6"), count(texts, "2 line 7"), count(texts, "1 line 11")]).toEqual([1, 3, 1]);
    // Calls in the inner loop lie below it.
    expect(count(texts, "3 next")).toBe(12);
    expect(texts.length).toBe(count(texts, "0 (initial values)") + 1 + 1 + 3 + 1 + 12);
  });

  it("has every block inside of one of the row above", () => {
    const { blocks } = stripOf(open, 0, open.length, 10_000);
    for (const { depth, from, to } of blocks)
      if (depth > 0)
        expect(blocks.some((above) => above.depth === depth - 1 && above.from <= from && above.to >= to)).toBe(true);
  });

  it("ends a loop where the statement behind it begins", () => {
    const { blocks } = stripOf(open, 0, open.length, 10_000);
    const last = blocks.find(({ kind, index }) => kind === "loop" && open.recording.statements[index]?.at[0] === 11);
    expect(textAt(open, last?.to ?? -1)).toBe("return sum;");
  });

  it("shows of a part the loops around it, and begins with the innermost call around it", () => {
    const call = stepAt(open, "return n + 1", 6);
    expect(shown(stripOf(open, call, call + 1, 100))).toEqual(["0 next"]);
    const inner = stepAt(open, "sum = next(sum)", 6);
    const texts = shown(stripOf(open, inner, inner + 6, 1000));
    expect(texts).toEqual(expect.arrayContaining(["0 main", "1 line 6", "2 line 7", "3 next"]));
  });

  it("leaves out what is narrower than a column", () => {
    expect(shown(stripOf(open, 0, open.length, 10))).toEqual([
      "0 main",
      "2 line 7",
      "2 line 7",
      "2 line 7",
      "1 line 6",
      "1 line 11",
    ]);
  });
});
