import { beforeAll, describe, expect, it } from "vitest";
import { budgetOf } from "../../src/base/cancellation.ts";
import { TracefoldError } from "../../src/base/errors.ts";
import type { CompressedRun } from "../../src/commands/compress/pipeline.ts";
import type { Obligation } from "../../src/cutpoints/obligation.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { checkObligations } from "../../src/proof/checkObligations.ts";
import type { FoldClaim } from "../../src/proof/claim.ts";
import { parseManifest } from "../../src/proof/manifest.ts";
import { proveRun } from "../../src/proof/proveRun.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { cancelledAtLook } from "../support/cancelledAtLook.ts";
import { compressFile, compressText } from "../support/compressed.ts";
import { filesOfProof, provedExamples, recheckFiles } from "../support/provedExamples.ts";

const [counters] = provedExamples;

/** A manifest as a forger sees it. */
// biome-ignore lint/suspicious/noExplicitAny: what is tried has no type.
type Editable = any;

const recheck = (files: ReadonlyMap<string, string>, path = counters!.path) => recheckFiles(files, path);

describe("a wrong proof", () => {
  let run: CompressedRun;
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    run = await compressFile(counters!.path, counters!.inputs);
    files = filesOfProof(run, counters!.path);
  });
  const answers = (claims: readonly FoldClaim[]) =>
    proveRun(runOf(run.trace), claims).verdicts.map(({ answer }) => answer);
  const claiming = (...formulas: readonly string[]): readonly FoldClaim[] => [
    { ...run.claims[0]!, invariants: [{ ...run.claims[0]!.invariants[0]!, formulas }] },
  ];
  const changed = (name: string, change: (text: string) => string) =>
    new Map(files).set(name, change(files.get(name)!));

  it("is refuted where an invariant does not hold at first, is not kept, or is not enough", () => {
    expect(answers(run.claims)).toEqual(["proved", "proved", "proved"]);
    expect(answers(claiming("(>= |j#2@1| (+ |i#1@1| 1))"))).toEqual(["refuted", "proved", "proved"]);
    expect(answers(claiming("(= |j#2@1| |i#1@1|)"))).toEqual(["proved", "refuted", "proved"]);
    expect(answers(claiming("(>= |j#2@1| 0)"))).toEqual(["proved", "proved", "refuted"]);
    expect(answers(claiming())).toEqual(["proved", "proved", "refuted"]);
  });

  it("is refused if an invariant is false", () => {
    expect(answers(claiming("false"))).toEqual(["refuted", "vacuous", "vacuous"]);
  });

  it("is the run itself without the fold, and no claim about other steps", () => {
    expect(answers([])).toEqual(["proved"]);
    const [claim] = run.claims;
    const wrong = [
      { ...claim!, begin: claim!.begin + 1 },
      { ...claim!, end: claim!.end + 1 },
      { ...claim!, end: claim!.begin },
      { ...claim!, end: 10_000 },
    ];
    for (const each of wrong) expect(() => answers([each])).toThrow("are not iterations of one loop");
    expect(() => answers([claim!, claim!])).toThrow("are not iterations of one loop");
  });

  it("may mention the program's places only", () => {
    const claim = { ...claiming("(= |k!1| 0)")[0]!, sorts: { "k!1": "Int" } } as const;
    expect(() => answers([claim])).toThrow("which is no place");
    expect(() => answers(claiming("(= |nothing| 0)"))).toThrow("nothing");
    expect(() => answers(claiming("(= |j#2@1|"))).toThrow("not an S-expression");
  });

  const claimed = (change: (claim: Editable) => void) => (manifest: Editable) => change(manifest.claim.folds[0]);
  it.each<[string, (manifest: Editable) => void, string]>([
    [
      "a second claim about the same cut point",
      claimed(({ invariants }) => invariants.push({ at: invariants[0].at, formulas: ["false"] })),
      "has a claim already",
    ],
    [
      "a claim about another point",
      claimed(({ invariants }) => invariants.push({ at: "1:999", formulas: ["false"] })),
      "at 1:999, which is no cut point",
    ],
    [
      "another target",
      ({ claim: { target } }) => (target.formula = "j == 12345"),
      "j == 12345 at two-counters.c:16 as the proof",
    ],
    ["a target elsewhere", ({ claim: { target } }) => (target.line = 1), "not j >= n at two-counters.c:1 as"],
    ["a target in another file", ({ claim: { target } }) => (target.file = "other.c"), "not j >= n at other.c:16 as"],
    ["a program without files", ({ program }) => (program.files = []), '"program" is missing or malformed'],
    ["nobody's proof", (manifest) => delete manifest.tool, '"tool" is missing'],
    ["a statement of another kind", (manifest) => (manifest.theorem = "P = NP"), 'no "theorem"'],
    [
      "a statement of another kind about the run",
      ({ claim }) => (claim.run.isSafe = true),
      '"claim" is missing or malformed',
    ],
    ["a place of another sort", claimed(({ sorts }) => (sorts["j#2@1"] = "Bool")), "TF148"],
    [
      "a place of another sort, where it could have it",
      claimed((claim) => {
        claim.sorts["j#2@1"] = "Array";
        claim.invariants[0].formulas = ["(= (select |j#2@1| 0) 0)"];
      }),
      "do not fit the program",
    ],
    ["a number as a claim", claimed(({ invariants }) => (invariants[0].formulas = ["5"])), "neither true nor false"],
    ["nothing bound", claimed(({ invariants }) => (invariants[0].formulas = ["(let)"])), "cannot be read: (let)"],
  ])("%s", async (_, change, message) => {
    const edited = changed("proof.json", (text) => {
      const manifest = JSON.parse(text);
      change(manifest);
      return JSON.stringify(manifest);
    });
    const error = await recheck(edited).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TracefoldError);
    expect(`${(error as TracefoldError).code}: ${(error as TracefoldError).message}`).toContain(message);
    expect((error as TracefoldError).code).toMatch(/^TF14[789]$/);
  });

  it("is refused if the scripts do not belong to the claim of the manifest", async () => {
    const { proof, problems } = await recheck(changed("proof.json", (text) => text.replace(" 0)", " 1)")));
    expect(proof.checked).toBe(false);
    expect(problems.length).toBeGreaterThan(1);
  });

  it.each([
    ["a script with another assertion", "3-target.smt2", (text: string) => `${text}(assert false)\n`],
    ["a theorem that was made easier", "proof.v", (text: string) => text.replaceAll("(i_0 + (-1) * j_1)", "0")],
    ["an obligation that is not listed", "proof.json", (text: string) => text.replace("loop1-body-1", "loop1-body-9")],
  ])("%s", async (_, name, change) => {
    expect((await recheck(changed(name, change))).problems).toEqual([{ path: name, of: "proof", problem: "edited" }]);
  });

  it("is refused if a script is missing", async () => {
    const rest = new Map(files);
    rest.delete("2-loop1-body-1.smt2");
    expect((await recheck(rest)).problems).toEqual([{ path: "2-loop1-body-1.smt2", of: "proof", problem: "missing" }]);
  });

  it("is refused for other inputs and another program", async () => {
    await expect(recheck(changed("proof.json", (text) => text.replace('"9"', '"8"')))).rejects.toThrow("steps, not");
    expect(await recheck(files, provedExamples[1]!.path)).toMatchObject({
      program: null,
      problems: [{ path: "balance.c", of: "program", problem: "edited" }],
    });
    expect(await recheck(files, "/nowhere/two-counters.c")).toMatchObject({
      program: null,
      problems: [{ path: "two-counters.c", of: "program", problem: "missing" }],
    });
  });

  it.each([
    ["{", "it is not JSON"],
    ["[]", '"schema" is missing'],
    ['{"schema":3}', '"schema" is missing'],
    ['{"schema":5}', '"tool" is missing'],
  ])("is refused if the manifest %s", (text, message) =>
    expect(() => parseManifest(text, "proof.json")).toThrow(message),
  );
});

describe("who checks", () => {
  const terms = createTerms();
  const x = terms.variable("x", "Int");
  const obligation = (conclusion: Obligation["conclusion"], more: Partial<Obligation> = {}): Obligation => ({
    ...{ name: "t", kind: "target", text: "", hypotheses: [terms.ge(x, terms.int(1))], conclusion, ...more },
    range: { file: "f.c", line: 1, column: 1, endLine: 1, endColumn: 2 },
  });

  it("calls a witnessed obligation with contradicting hypotheses vacuous", () => {
    const { solver } = createSolver();
    const contradictory = { hypotheses: [terms.ge(x, terms.int(1)), terms.le(x, terms.int(0))], witnessed: "t" };
    const checkers = { solvers: [solver], dispose() {} };
    try {
      const { verdicts } = checkObligations(
        terms,
        [
          obligation(terms.ge(x, terms.int(0))),
          obligation(terms.ge(x, terms.int(2))),
          obligation(terms.bool(false), contradictory),
        ],
        { checkers },
      );
      expect(verdicts.map(({ answer }) => answer)).toEqual(["proved", "refuted", "vacuous"]);
      // Interrupted before it is known whether it says anything, it has no verdict.
      const vacuous = [obligation(terms.bool(false), contradictory)];
      const cancellation = cancelledAtLook(1);
      expect(checkObligations(terms, vacuous, { checkers, cancellation }).verdicts).toEqual([]);
    } finally {
      solver.dispose();
    }
  });

  it("refutes by a counterexample only in the exact part of the run", async () => {
    const run = await compressText(`
      #include <assert.h>
      union { float real; int bits; } both;
      int main(void) {
        int rounds = 0;
        for (int i = 0; i < 3; i++) rounds++;
        both.real = 1.5f;
        int bits = both.bits;
        assert(rounds != 3);
      }`);
    expect(run.proof.checked).toBe(true);
    const claiming = (...formulas: readonly string[]) =>
      run.claims.map((claim) => ({ ...claim, invariants: claim.invariants.map(({ at }) => ({ at, formulas })) }));
    const last = proveRun(runOf(run.trace), claiming()).verdicts.at(-1)!;
    expect(last).toMatchObject({ answer: "unknown", obligation: { name: "target" } });
    expect(last.by).toMatch(/in a model of this run that is not exact$/);
    const [first] = proveRun(runOf(run.trace), claiming("false")).verdicts;
    expect(first).toMatchObject({ answer: "refuted", obligation: { name: "loop1-entry" } });
  });

  it("proves no obligation without a solver that decides it, or after an interruption", async () => {
    const nobody = { solvers: [], dispose() {} };
    const { verdicts } = checkObligations(terms, [obligation(terms.ge(x, terms.int(0)))], { checkers: nobody });
    expect(verdicts[0]!.answer).toBe("unknown");
    const text = "#include <assert.h>\nint main(void) { int x = 0; for (int i = 0; i < 5; i++) x++; assert(x < 1); }";
    const run = await compressText(text);
    expect(proveRun(runOf(run.trace), run.claims, { cancellation: budgetOf(0) })).toMatchObject({
      ...{ checked: false, verdicts: [], checker: null },
    });
  });
});
