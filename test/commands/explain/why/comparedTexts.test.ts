import { expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { whysOf } from "../../../support/toldWhys.ts";

async function toldOf(source: string) {
  return whysOf(recordTrace(await loadCText("p.c", source, { preprocess: "builtin" })));
}

it("shows both texts that a condition compared, and the answers of isalpha as true or false", async () => {
  const { graph } = await toldOf(`#include <assert.h>
#include <ctype.h>
#include <string.h>
static int kind(const char *word) {
  if (!strcmp(word, "number")) return 1;
  if (isdigit((unsigned char)word[0])) return 2;
  return 3;
}
int main(void) { assert(kind("numbers") == 1); return 0; }
`);
  const tests = graph.nodes.flatMap(({ tests: all, location }) => all.map(({ text }) => [location.line, text]));
  expect(tests).toEqual([
    [5, '"numbers" against "number": different'],
    [6, "isdigit((unsigned char)word[0]) is false"],
  ]);
});

it("shows long texts around their first difference", async () => {
  const { questions } = await toldOf(`#include <assert.h>
#include <string.h>
int main(void) {
  char made[] = "foo://user:password@example.com:8042/over?name=ferret";
  assert(strcmp(made, "foo://user:password@example.com:8042/over?name=ferret#nose") == 0);
  return 0;
}
`);
  expect(questions[0]).toContain('is "…e=ferret" against "…e=ferret#nose"');
});

it("asks about the side of memcpy that is outside", async () => {
  const source = (to: number, from: number) => `#include <stdlib.h>
#include <string.h>
static char *sides[2];
int main(void) {
  sides[0] = malloc(${to});
  sides[1] = malloc(${from});
  size_t length = 9;
  memset(sides[1], 1, ${from});
  memcpy(sides[0], sides[1], length);
  return sides[0][0];
}
`;
  const asked = async (to: number, from: number) => (await toldOf(source(to, from))).questions.slice(0, 2);
  expect(await asked(20, 4)).toEqual(["why sides[1] is the block of main:6", "why length is 9"]);
  expect(await asked(4, 20)).toEqual(["why sides[0] is the block of main:5", "why length is 9"]);
});
