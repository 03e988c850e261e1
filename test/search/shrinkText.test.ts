import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { shrinkText } from "../../src/search/shrink.ts";

const largest = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int value, max = 0, limit = argc > 1 ? atoi(argv[1]) : 100, last = -1;
  while (scanf("%d", &value) == 1) {
    if (value > max && value < limit) max = value;
    last = value;
  }
  assert(last <= max);
  return 0;
}
`;

async function shrunk(source: string, stdin: string, args: readonly string[] = []) {
  const trace = recordTrace(await loadCText("p.c", source), { stdin: Buffer.from(stdin), args });
  const text = shrinkText(trace);
  if (text !== null) expect(text.confirmed).toBe(true);
  return text === null ? null : [Buffer.from(text.stdin).toString(), text.args];
}

describe("text that a run fails with", () => {
  it("becomes shorter, and its numbers smaller, as long as the run fails at the same place", async () => {
    expect(await shrunk(largest, "17\n5 23\n\n 400 12 350\n", ["300", "more"])).toEqual(["100", []]);
    expect(await shrunk(largest, "17 95 8 12", ["0"])).toEqual(["1", [""]]);
  });

  it("stays as it is if it must", async () => {
    const exact = `#include <assert.h>
#include <string.h>
int main(int argc, char **argv) { assert(strcmp(argv[1], "secret") != 0); return 0; }
`;
    expect(await shrunk(exact, "anything", ["secret"])).toEqual(["", ["secret"]]);
  });

  it("is empty if the program had none, or fails by its output", async () => {
    expect(await shrunk("#include <assert.h>\nint main(void) { assert(0); }\n", "")).toBe(null);
    const program = await loadCText("p.c", '#include <stdio.h>\nint main(void) { puts("x"); }\n');
    const trace = recordTrace(program, { stdin: Buffer.from("1"), expected: { stdout: Buffer.from("y") } });
    expect(shrinkText(trace)).toBe(null);
  });
});
