import { expect, test } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { explain } from "../../../src/commands/explain/pipeline.ts";
import { explainText } from "../../../src/render/explainText.ts";
import { plain } from "../../../src/render/layout.ts";

const source = `static int twice(int n) { return 2 * n; }
int main(void) {
  int a = 3;
  int b = twice(a);
  return b - 6;
}
`;

test("a condition that was asked about is explained by what was observed if there is no time for a proof", async () => {
  const watch = { condition: "b > 5", file: "p.c", line: 5 };
  const program = await loadCText("p.c", source, { preprocess: "builtin", watch });
  const explanation = explain(program, { budget: 0 });
  expect(explanation).toMatchObject({ kind: "explained", status: "unknown", failure: { kind: "condition" } });
  expect(explainText(explanation, { paint: plain, source: () => source })).toBe(`asked: b > 5 holds
  --> p.c:5:3 in main
5 | return b - 6;
why b is 6
   main:3   int a = 3;         a = 3
   4        int b = twice(a);  n is 3: b = 6
   twice:1    return 2 * n;    n is 3: returns 6
7 steps -> 3 lines; not proved: out of time
`);
});
