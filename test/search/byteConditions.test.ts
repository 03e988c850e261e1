import { expect, test } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { bytesPhrase } from "../../src/render/phrases.ts";
import { byteConditions } from "../../src/search/byteConditions.ts";
import { shrinkText } from "../../src/search/shrink.ts";

async function phraseOf(text: string, run: { readonly stdin?: string; readonly args?: readonly string[] }) {
  const program = await loadCText("p.c", text, { preprocess: "builtin" });
  const trace = recordTrace(program, { stdin: Buffer.from(run.stdin ?? ""), args: run.args ?? [] });
  return bytesPhrase(byteConditions(trace, shrinkText(trace)!));
}

const suffix = " (each on its own: all values of it were run)";

test("finds the failing characters of an argument", async () => {
  const text = `#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc < 2) return 1;
  assert(atoi(argv[1]) < 5);
  return 0;
}`;
  expect(await phraseOf(text, { args: ["007"] })).toBe(`byte 1 of argument 1 is '5' to '9'${suffix}`);
});

test("finds the failing bytes of standard input, read one by one or by scanf", async () => {
  const counting = `#include <assert.h>
#include <stdio.h>
int main(void) {
  int c, zeros = 0;
  while ((c = getchar()) != EOF) if (c == '0') zeros++;
  assert(zeros < 2);
  return 0;
}`;
  expect(await phraseOf(counting, { stdin: "1 0 0\n" })).toBe(`byte 1 is '0'; byte 2 is '0'${suffix}`);
  const pair = `#include <assert.h>
#include <stdio.h>
int main(void) {
  int a, b;
  if (scanf("%d %d", &a, &b) != 2) return 1;
  assert(a < b);
  return 0;
}`;
  const digits = "byte 1 is '0' to '9'; byte 2 is '\\t' to '\\r', ' ', '+', '-'; byte 3 is '0'";
  expect(await phraseOf(pair, { stdin: "7 3\n" })).toBe(digits + suffix);
});

test("says nothing about long texts, or without time for all values", async () => {
  const text = `#include <assert.h>
#include <stdio.h>
int main(void) { int n = 0; while (getchar() != EOF) n++; assert(n < 20); return 0; }`;
  const program = await loadCText("p.c", text, { preprocess: "builtin" });
  const trace = recordTrace(program, { stdin: Buffer.from("x".repeat(20)) });
  expect(byteConditions(trace, { stdin: trace.settings.stdin, args: [], steps: trace.steps })).toEqual([]);
  let asked = 0;
  const late = { isCancelled: () => asked++ > 300, reason: null, processes: null };
  const short = { stdin: Buffer.from("ab"), args: ["c"], steps: 100 };
  expect(byteConditions(trace, short, late).length).toBeLessThan(3);
});
