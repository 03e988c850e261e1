import { expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { lineChange } from "../../../../src/commands/explain/why/missingLines.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function changeOf(printed: readonly string[], expected: string, compares?: "tokens") {
  const calls = printed.map((line) => `puts("${line}");`).join(" ");
  const program = await loadCText("p.c", `#include <stdio.h>\nint main(void) { ${calls} return 0; }\n`, {
    preprocess: "builtin",
  });
  const wanted = { stdout: bytes(expected), ...(compares === undefined ? {} : { compares }) };
  return lineChange(recordTrace(program, { expected: wanted }));
}

it("tells missing and extra lines from other wrong ones", async () => {
  expect(await changeOf(["a", "c"], "a\nb\nc\n")).toEqual({ kind: "missing", count: 1 });
  expect(await changeOf(["a", "x", "y", "c"], "a\nc\n")).toEqual({ kind: "extra", count: 2 });
  expect(await changeOf(["a"], "a\nb\nc\n")).toEqual({ kind: "missing", count: 2 });
  expect(await changeOf(["a", "b", "d"], "a\nc\n")).toBeNull();
  expect(await changeOf(["a", "x"], "a\nb\n")).toBeNull();
});

it("compares words if white space does not matter", async () => {
  expect(await changeOf(["a ", "c  d"], "a\nb\nc d\n\n", "tokens")).toEqual({ kind: "missing", count: 1 });
});
