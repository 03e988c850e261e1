import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { Expected } from "../../src/interpreter/expected.ts";
import { runProgram } from "../../src/interpreter/run.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";

const source = `#include <stdio.h>
int main(void) {
  FILE *f = fopen("log", "w");
  for (int i = 1; i <= 3; i++) { printf("line %d\\n", i * i); fprintf(f, "%d;", i); }
  fclose(f);
  return 3;
}
`;

async function ends(expected: Expected) {
  const program = await loadCText("p.c", source);
  const { outcome, steps } = runProgram(program, { expected });
  const recorded = recordTrace(program, { expected });
  expect(recorded.outcome).toEqual(outcome);
  expect(recorded.steps).toBe(steps);
  return outcome;
}

const bytes = (text: string) => Buffer.from(text);

describe("the expected output of a run", () => {
  it("is no failure if it is printed", async () => {
    const files = [{ name: "log", content: bytes("1;2;3;") }];
    const expected = { stdout: bytes("line 1\nline 4\nline 9\n"), exit: 3, files };
    expect(await ends(expected)).toMatchObject({ kind: "exit", code: 3 });
  });

  it("ends the run at the call that prints something else", async () => {
    expect(await ends({ stdout: bytes("line 1\nline 2\n") })).toMatchObject({
      kind: "wrong-output",
      stream: "stdout",
      offset: 12,
      difference: { line: 2, column: 6, expected: '"line 2"', found: '"line 4"' },
      at: { range: { line: 4 } },
    });
  });

  it("may be shorter or longer than what is printed", async () => {
    expect(await ends({ stdout: bytes("line 1\nline 4\n") })).toMatchObject({
      offset: 14,
      difference: { line: 3, column: 1, expected: null, found: '"line 9"' },
    });
    expect(await ends({ stdout: bytes("line 1\nline 4\nline 9\nend\n") })).toMatchObject({
      offset: 21,
      difference: { line: 4, expected: '"end"', found: null },
      at: null,
    });
    expect(await ends({ stdout: bytes("") })).toMatchObject({ offset: 0, difference: { expected: null } });
    expect(await ends({ stdout: bytes("line 1\nline 4\nline 9") })).toMatchObject({
      difference: { line: 3, column: 7, expected: '"line 9"', found: '"line 9\\n"' },
    });
  });

  it("is compared as bytes, whatever their encoding", async () => {
    expect(await ends({ stdout: Uint8Array.of(108, 255, 10) })).toMatchObject({
      difference: { line: 1, column: 2, expected: '"l\u00ff"', found: '"line 1"' },
    });
  });

  it("also covers files and the exit status", async () => {
    expect(await ends({ files: [{ name: "log", content: bytes("1;2;4;") }] })).toMatchObject({
      kind: "wrong-output",
      stream: "log",
      offset: 4,
    });
    expect(await ends({ files: [{ name: "absent", content: bytes("") }] })).toMatchObject({
      stream: "absent",
      offset: 0,
    });
    expect(await ends({ exit: 0 })).toMatchObject({ kind: "wrong-exit", code: 3, expected: 0 });
  });
});
