import { expect, it } from "vitest";
import type { EngineName } from "../../../src/analyses/verify/engine.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";

const declarations = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\n";

async function decide(text: string, engine: EngineName = "unrolling", milliseconds = 120_000) {
  const program = await loadCText("task.c", `${declarations}${text}`, { preprocess: "builtin" });
  const options = { property: "assert", engines: [engine], solver: "auto", seed: 1 } as const;
  return verifyProgram(program, { ...options, milliseconds, run: {} }).verdict;
}

/** Bytes in the other order, twice; `mask` says which of the first byte's bits are taken along. */
const swapped = (mask: number) => `
unsigned swap(unsigned v) {
  unsigned r = 0;
  for (int i = 0; i < 4; i++) r |= ((v >> (8 * i)) & (i == 0 ? ${mask}u : 255u)) << (8 * (3 - i));
  return r;
}
int main(void) { unsigned v = __VERIFIER_nondet_uint(); if (swap(swap(v)) != v) reach_error(); return 0; }`;

/** Adding by carries, which are gone after as many rounds as there are bits. */
const carries = (rounds: number) => `
int main(void) {
  unsigned char a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  unsigned char sum = a ^ b, carry = (unsigned char)((a & b) << 1);
  for (int i = 0; i < ${rounds}; i++) { unsigned char next = sum ^ carry; carry = (unsigned char)((sum & carry) << 1); sum = next; }
  if (sum != (unsigned char)(a + b)) reach_error();
  return 0;
}`;

it.each([
  ["bytes in the other order, twice", swapped(255), swapped(127)],
  ["adding by carries", carries(7), carries(6)],
])("%s", async (_, right, wrong) => {
  expect((await decide(right)).kind).toBe("safe");
  expect((await decide(wrong)).kind).toBe("unsafe");
});

it("keeps a remainder through a loop without branches, whatever it reads", async () => {
  const odd = (start: number) => `int main(void) {
    unsigned x = ${start};
    while (1) { x += 6u * __VERIFIER_nondet_uint(); if (x == 0) reach_error(); }
  }`;
  expect((await decide(odd(1), "houdini", 25_000)).kind).toBe("safe");
  expect((await decide(odd(2), "houdini", 25_000)).kind).toBe("unknown");
});

it("decides a state that is a product of earlier numbers", async () => {
  const machine = (factor: number) => `int main(void) {
    int state = 0, a = (int)__VERIFIER_nondet_uint(), b = a;
    while (1) {
      if (state == 0) { a = 44; b = ${factor}; state = 1; }
      else if (state == 1) state = a * b - 4398;
      else if (state == 2) state = __VERIFIER_nondet_uint() ? 0 : 1;
      else reach_error();
    }
  }`;
  expect((await decide(machine(100), "spacer", 60_000)).kind).toBe("safe");
  expect((await decide(machine(101))).kind).toBe("unsafe");
});
