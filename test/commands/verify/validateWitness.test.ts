import { describe, expect, it } from "vitest";
import { TracefoldError } from "../../../src/base/errors.ts";
import { loadCText, outlineC } from "../../../src/c/cFrontEnd.ts";
import { describeVerification } from "../../../src/commands/verify/describeVerification.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import { validateWitness } from "../../../src/commands/verify/validateWitness.ts";
import type { StatedInvariant } from "../../../src/frontEnd/frontEnd.ts";
import { readProject } from "../../../src/frontEnd/project.ts";
import { readInvariants } from "../../../src/interop/witness/readInvariants.ts";
import { toCorrectnessWitness } from "../../../src/render/witness/invariantWitness.ts";

const options = {
  property: "assert",
  engines: null,
  solver: "auto",
  seed: 1,
  milliseconds: 60_000,
  run: {},
} as const;
const load = (text: string, stated?: readonly StatedInvariant[]) =>
  loadCText("task.c", text, {
    preprocess: "builtin",
    uninitialized: "input",
    ...(stated === undefined ? {} : { stated }),
  });

const summing = `
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  if (n < 0 || n > 1000) return 0;
  while (i < n) {
    s += 2;
    i++;
  }
  if (s != 2 * n) reach_error();
  return 0;
}`;

const at = { file: "w.yml", line: 20, column: 9, endLine: 20, endColumn: 30 };
const loop = (condition: string, line = 7): StatedInvariant => ({
  kind: "loop",
  file: "task.c",
  line,
  column: null,
  condition,
  at,
});

async function validate(text: string, stated: readonly StatedInvariant[]) {
  const program = await load(text, stated);
  const conditions = stated.map(({ condition, line }, i) => ({
    text: condition,
    location: { ...at, file: "task.c", line },
    at: { ...at, line: at.line + i },
  }));
  const { witness, verification } = validateWitness(program, conditions, options);
  return { verdicts: witness.invariants.map(({ verdict }) => verdict), witness, verification };
}

describe("correctness witnesses", () => {
  it("accept invariants that hold and suffice", async () => {
    const { verdicts, witness, verification } = await validate(summing, [
      loop("s == 2 * i && 0 <= i"),
      loop("i <= n && n <= 1000"),
    ]);
    expect(verdicts).toEqual(["holds", "holds"]);
    expect(witness.suffices).toBe("yes");
    expect(verification.verdict).toMatchObject({ kind: "safe", engine: "witness", assumptions: [] });
  });

  it("refute an invariant with a run, and do not rely on it", async () => {
    const { verdicts, witness, verification } = await validate(summing, [
      loop("s == 2 * i && i <= n && n <= 1000 && i < 900"),
      loop("s >= 0"),
    ]);
    expect(verdicts[0]).toBe("violated");
    expect(witness.invariants[0]!.inputs).toHaveLength(1);
    expect(witness.suffices).toBe("no");
    expect(verification.verdict.kind).toBe("unknown");
  });

  it("do not suffice if they say too little, and ignore false claims about unreachable states", async () => {
    const { verdicts, witness } = await validate(summing, [loop("i >= 0 || s == 7")]);
    expect([verdicts, witness.suffices]).toEqual([["holds"], "no"]);
  });

  it("accept an invariant that is not inductive if an engine proves it", async () => {
    const { verdicts, witness } = await validate(summing, [loop("i <= n"), loop("s <= 2000")]);
    expect(verdicts).toEqual(["holds", "holds"]);
    expect(witness.invariants[1]!.by).toMatch(/on its own|spacer/);
  });

  it("accept invariants at statements, of do loops and of loops in functions", async () => {
    const text = `
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int half(int x) {
  int h = 0;
  for (int k = 0; k < 3; k++)
    h += x > 0;
  return h;
}
int main(void) {
  int i = 0;
  do {
    i++;
    if (i > 10) reach_error();
  } while (i < 10);
  half(i);
  i = half(-i);
  if (i > 3) reach_error();
  return 0;
}`;
    const { verdicts, witness, verification } = await validate(text, [
      loop("1 <= i && i <= 10", 11),
      loop("0 <= k && k <= 3 && (x > 0 ? h == k : h == 0)", 5),
      { ...loop("i == 10", 15), kind: "statement" },
      { ...loop("i == 10", 17), kind: "statement" },
    ]);
    expect(verdicts).toEqual(["holds", "holds", "holds", "violated"]);
    expect(verification.verdict).toMatchObject({ kind: "safe" });
    expect(witness.suffices).toBe("yes");
  });

  it("have errors with their place in the witness", async () => {
    const broken = async (stated: StatedInvariant) => {
      const error = await load(summing, [stated]).catch((thrown: unknown) => thrown);
      if (!(error instanceof TracefoldError)) throw new Error("no error");
      return `${error.range?.file}:${error.range?.line} ${error.message}`;
    };
    expect(await broken(loop("s == "))).toMatch(/^w.yml:20 the condition cannot be read/);
    expect(await broken(loop("s == missing"))).toMatch(/^w.yml:20 .*missing/);
    expect(await broken(loop("s++ >= 0"))).toBe("w.yml:20 a condition cannot have side effects or call functions");
    expect(await broken(loop("1); } int x = (1"))).toMatch(/^w.yml:20 the condition cannot be read/);
    expect(await broken(loop("s >= 0", 8))).toMatch(/^w.yml:20 there is no loop at line 8/);
  });

  it("are read and proved again, and refused after a change", async () => {
    const program = await load(summing);
    const report = describeVerification(program, verifyProgram(program, options), options, {
      version: "0",
      ms: 0,
      replay: () => "",
    });
    const project = { ...(await readProject(["examples/gcd.c"], {})), files: [] };
    const file = (await readProject(["examples/gcd.c"], {})).files[0]!;
    const outlines = await outlineC(
      { ...project, files: [{ ...file, path: "task.c", text: summing }] },
      { preprocess: "builtin" },
    );
    const yaml = toCorrectnessWitness(report, { outline: (path) => outlines.get(path) ?? null })!;
    const check = async (text: string) => {
      const { invariants } = readInvariants(text, "w.yml");
      const stated = invariants.map(({ kind, location, value, at: where }) => {
        const { file: name, line, column } = location;
        return { kind, file: name, line, column, condition: value, at: where };
      });
      return (await validate(summing, stated)).witness.suffices;
    };
    expect(await check(yaml)).toBe("yes");
    expect(await check(yaml.replace(/2 \* \(long long\)i/g, "2 * (long long)i + 1"))).toBe("no");
    expect(() => readInvariants(yaml.replace("loop_invariant", "loop_variant"), "w.yml")).toThrow(
      /loop_variant is not/,
    );
    expect(() => readInvariants(yaml.replace("invariant_set", "violation_sequence"), "w.yml")).toThrow(/invariant_set/);
  });
});
