import { expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { explain } from "../../../../src/commands/explain/pipeline.ts";
import { screenOf } from "../../../../src/render/chooseRows.ts";

it("shows no value for a variable without one", async () => {
  const program = await loadCText(
    "p.c",
    `int f(int x) { if (x == 1) return 7; }
int main(void) {
  int r = f(5);
  if (r == 7) return 1;
  return 0;
}
`,
  );
  const explanation = explain(program, { shrink: false, budget: 20_000 });
  if (explanation.kind !== "explained") throw new Error(explanation.kind);
  expect(explanation.failure.message).toContain("r is read before it has a value");
  expect(explanation.failure.condition?.operands).toEqual([]);
  expect(screenOf(explanation).sections.flatMap(({ rows }) => rows.map(({ text }) => text))).toContain("int r = f(5);");
  // Where the function ended without it.
  expect(explanation.failure.places).toMatchObject([
    {
      what: "no return",
      calls: [
        { function: "f", location: { line: 1 } },
        { function: "main", location: { line: 3 } },
      ],
    },
  ]);
  expect(screenOf(explanation).sections[0]!.question).toBe("why r has no value");
});
