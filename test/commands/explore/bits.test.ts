import { expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { exploreProgram } from "../../../src/commands/explore/pipeline.ts";

const rotations = (back: number) => `
extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
unsigned rotate(unsigned x, int k) { return (x << k) | (x >> (32 - k)); }
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (rotate(rotate(x ^ 0x9e3779b9u, 13), ${back}) != (x ^ 0x9e3779b9u)) reach_error();
  return 0;
}`;

async function statusesOf(text: string) {
  const program = await loadCText("task.c", text, { preprocess: "builtin" });
  const { targets } = exploreProgram(program, {
    goal: { kind: "property", properties: ["assertions"] },
    mode: "auto",
    searcher: "bfs",
    seed: 1,
    runs: 100,
    maxStates: 10_000,
    maxDepth: 1000,
    all: false,
    wholeTree: false,
    run: {},
    cancellation: neverCancelled,
  });
  return targets.map(({ status }) => status);
}

it("follows shifts and masks to the end", async () => {
  expect(await statusesOf(rotations(19))).toEqual(["unreachable"]);
  expect(await statusesOf(rotations(18))).toEqual(["reached"]);
});
