import { expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { listedInputs } from "../../../src/interpreter/inputs.ts";
import { provedReport as explain } from "../../support/provedReport.ts";

const text = `int __VERIFIER_nondet_int(void);
struct buffer { int cells[4]; int used; };
static struct buffer b;
int main(void) {
  int n = __VERIFIER_nondet_int();
  b.used = n;
  b.cells[b.used] = 7;
  return 0;
}
`;

it("explains an index outside of a struct's array by its large value", async () => {
  const program = await loadCText("p.c", text);
  const report = explain(program, { run: { inputs: listedInputs([5n]) } });
  expect(report.status).toBe("ok");
  expect(report.outcome).toMatchObject({
    behaviour: "index-out-of-bounds",
    message: expect.stringContaining("index 5"),
  });
  expect(report.target?.formula).toBe("index 5 is outside of b.cells[4]");
  expect(report.steps.map((step) => step.location?.line)).toContain(6);
  expect(JSON.stringify(report.inputCondition)).toContain("n >= 4");
});
