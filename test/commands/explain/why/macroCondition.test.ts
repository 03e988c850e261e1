import { expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { whysOf } from "../../../support/toldWhys.ts";

it("shows the outcome of a comparison inside a macro, not one of its sides", async () => {
  const source = `#include <assert.h>
#define IS_EMPTY(x) ((x) == 0)
static int board[3] = { 0, 5, 0 };
static int get(int i) { return board[i]; }
int main(void) {
  assert(IS_EMPTY(get(1)));
  return 0;
}
`;
  const { failure } = whysOf(recordTrace(await loadCText("p.c", source)));
  expect(failure.condition?.operands).toMatchObject([{ text: "IS_EMPTY(get(1))", value: "0 (5 == 0)" }]);
});
