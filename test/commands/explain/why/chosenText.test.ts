import { expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { screenOf } from "../../../../src/render/chooseRows.ts";
import { whysOf } from "../../../support/toldWhys.ts";

const source = `#include <stdio.h>
static int limit = 10;
static int grade(int points) { return points + points / 4; }
static void report(const char *name, int points) {
  int total = grade(points);
  printf("%s: ", name);
  if (total > limit) puts("passed");
  else puts("failed");
}
int main(void) {
  report("ann", 12);
  report("bob", 8);
  return 0;
}
`;

it("explains a printed literal by the values of the condition that chose it", async () => {
  const expected = { stdout: Buffer.from("ann: passed\nbob: passed\n") };
  const explained = whysOf(recordTrace(await loadCText("p.c", source), { expected }));
  const { failure } = explained;
  const { sections } = screenOf(explained);
  expect(failure.condition?.operands).toEqual([]);
  const told = sections.map(({ question, rows }) => [question, ...rows.map(({ location }) => location.line)]);
  expect(told).toEqual([
    ["why total is 10", 5, 3],
    ["why limit is 10", 2],
    ["why it came to this", 12, 7],
  ]);
});
