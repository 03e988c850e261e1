import { describe, expect, it } from "vitest";
import type { EngineName } from "../../../src/analyses/verify/engine.ts";
import { TracefoldError } from "../../../src/base/errors.ts";
import { loadCText, outlineC } from "../../../src/c/cFrontEnd.ts";
import { describeVerification } from "../../../src/commands/verify/describeVerification.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import { validateWitness } from "../../../src/commands/verify/validateWitness.ts";
import type { StatedInvariant } from "../../../src/frontEnd/frontEnd.ts";
import { readProject } from "../../../src/frontEnd/project.ts";
import { readInvariants } from "../../../src/interop/witness/readInvariants.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { toCorrectnessWitness } from "../../../src/render/witness/invariantWitness.ts";

const options = {
  property: "assert",
  engines: null,
  solver: "auto",
  seed: 1,
  milliseconds: 120_000,
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

  /** The witness of a safe program. */
  async function written(text: string, engines: readonly EngineName[] | null = null): Promise<string> {
    const program = await load(text);
    const about = { version: "0", ms: 0, replay: () => "" };
    const report = describeVerification(program, verifyProgram(program, { ...options, engines }), options, about);
    const project = await readProject(["examples/gcd.c"], {});
    const files = [{ ...project.files[0]!, path: "task.c", text }];
    const outlines = await outlineC({ ...project, files }, { preprocess: "builtin" });
    return toCorrectnessWitness(report, { outline: (path) => outlines.get(path) ?? null })!;
  }

  async function validated(text: string, yaml: string) {
    const stated = readInvariants(yaml, "w.yml").invariants.map(({ kind, location, value, at: where }) => {
      const { file: name, line, column } = location;
      return { kind, file: name, line, column, condition: value, at: where };
    });
    return { stated, ...(await validate(text, stated)).witness };
  }

  it("are read and proved again, and refused after a change", async () => {
    const yaml = await written(summing);
    expect((await validated(summing, yaml)).suffices).toBe("yes");
    expect((await validated(summing, yaml.replace('"2.0"', '"2.1"'))).suffices).toBe("yes");
    const changed = yaml.replace(/2 \* \(long long\)i/g, "2 * (long long)i + 1");
    expect((await validated(summing, changed)).suffices).toBe("no");
    expect(() => readInvariants(yaml.replace("loop_invariant", "loop_variant"), "w.yml")).toThrow(
      /loop_variant is not/,
    );
    expect(() => readInvariants(yaml.replace("invariant_set", "violation_sequence"), "w.yml")).toThrow(/invariant_set/);
  });

  it("have the invariants of loops made of goto, of do loops and with remainders, which hold on runs", async () => {
    const text = `extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {
  int i = 0;
  int s = 0;
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
top:
  if (i >= n) goto out;
  s += 2;
  i++;
  goto top;
out:
  if (s != 2 * n) __VERIFIER_error();
  int k = 0;
  do {
    k += 3;
    if (k > 2000) k = 0;
  } while (__VERIFIER_nondet_int());
  if (k % 3 != 0) __VERIFIER_error();
  int m = 1;
again: m++;
  if (m > 20) m = 1;
  if (__VERIFIER_nondet_int()) goto again;
  if (m < 1) __VERIFIER_error();
  return 0;
}`;
    const yaml = await written(text, ["runs", "houdini"]);
    expect(yaml).toContain("! call(__VERIFIER_error())");
    expect(yaml).toContain("% 3 == 0");
    const { stated, suffices, invariants } = await validated(text, yaml);
    expect(suffices).toBe("yes");
    expect(invariants.map(({ verdict }) => verdict)).toEqual(["holds", "holds", "holds"]);
    expect(stated.map(({ kind, line, column }) => [kind, line, column])).toEqual([
      ["statement", 9, 3],
      ["statement", 17, 5],
      ["statement", 22, 8],
    ]);
    const lines = text.split("\n");
    for (const { line, column, condition } of stated) {
      const old = lines[line - 1]!;
      lines[line - 1] =
        `${old.slice(0, column! - 1)}if (!(${condition})) __VERIFIER_error(); ${old.slice(column! - 1)}`;
    }
    const checking = await load(lines.join("\n"));
    for (const inputs of [[], [0], [3, 1, 1, 1, 0, 1, 1, 0], [1000, ...Array(800).fill(1), 0, ...Array(50).fill(1)]]) {
      const run = runProgram(checking, { inputs: ({ index }) => BigInt(inputs[index] ?? 0) });
      expect(run.outcome.kind).toBe("exit");
    }
  });
});
