import { expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { whysOf } from "../../../support/toldWhys.ts";

/** The remarks of a program's rows, by line. */
async function remarksOf(source: string): Promise<readonly (readonly [number, readonly string[]])[]> {
  const { graph } = whysOf(recordTrace(await loadCText("p.c", source, { preprocess: "builtin" })));
  return graph.nodes.flatMap(({ location, remarks }) =>
    remarks === undefined ? [] : [[location.line, remarks] as const],
  );
}

const price = (end: string) => `#include <assert.h>
static void note(void) {}
static int price(char kind) {
  int p = 0;
  switch (kind) {
    case 'a':
      p = 10;
      note();
      ${end}
    case 'b':
      p = 20;
      break;
  }
  return p;
}
int main(void) { assert(price('a') + price('b') == 31); return 0; }
`;

it("says that a statement was reached from the case before", async () => {
  expect(await remarksOf(price(""))).toEqual([[11, ["falls through from line 8"]]]);
});

it("says so of the statements that follow, up to a branch", async () => {
  const later = price("").replace("p = 20;", "note();\n      p = 20;");
  expect(await remarksOf(later)).toEqual([[12, ["falls through from line 8"]]]);
  const behind = price("").replace("p = 20;", "if (kind) note();\n      p = 20;");
  expect(await remarksOf(behind)).toEqual([]);
});

it("does not say so behind a break", async () => {
  expect(await remarksOf(price("break;"))).toEqual([]);
});

it("says that two parameters point to one object", async () => {
  const source = (to: string) => `#include <assert.h>
static void move(int *from, int *to) {
  int sum = *from + *to;
  *from = 0;
  *to = sum;
}
int main(void) {
  int x = 3, y = 4;
  move(&x, ${to});
  assert(x + y == 7 && x == 1);
  return 0;
}
`;
  const same = ["from and to are the same"];
  expect(await remarksOf(source("&x"))).toEqual([
    [9, same],
    [5, same],
  ]);
  expect(await remarksOf(source("&y"))).toEqual([]);
});

it("says how long a block is", async () => {
  const source = `#include <stdlib.h>
#include <string.h>
int main(void) {
  const char *text = "hello";
  char *copy = malloc(strlen(text));
  strcpy(copy, text);
  return 0;
}
`;
  expect(await remarksOf(source)).toContainEqual([5, ["5 bytes"]]);
});

it("shows a macro whose parts are not in parentheses", async () => {
  const source = (body: string) => `#include <assert.h>
#define SQUARE(x) ${body}
int main(void) {
  int n = 3;
  int area = SQUARE(n + 1);
  assert(area == 15);
  return 0;
}
`;
  expect(await remarksOf(source("x * x"))).toEqual([[5, ["SQUARE(n+1) is n+1*n+1"]]]);
  expect(await remarksOf(source("((x) * (x))"))).toEqual([]);
});
