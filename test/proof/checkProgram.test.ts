import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../src/base/cancellation.ts";
import { describeCheck } from "../../src/commands/check/result.ts";
import { givenTo } from "../../src/commands/command.ts";
import { verify } from "../../src/commands/verify/command.ts";
import { checkFolder } from "../../src/proof/checkFolder.ts";
import { manifestName } from "../../src/proof/manifest.ts";
import { checkText } from "../../src/render/checkText.ts";
import { plain } from "../../src/render/layout.ts";
import { coqc } from "../support/coqc.ts";
import { schemaErrors } from "../support/schema.ts";
import { hasTool } from "../support/tools.ts";

const errorsIn = (value: unknown, type: "ProofManifest" | "CheckReport" = "ProofManifest") => schemaErrors(type, value);

const folder = mkdtempSync(join(tmpdir(), "tracefold-certificate-"));
afterAll(() => rmSync(folder, { recursive: true }));

const text = `
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  if (i != n) reach_error();
  return 0;
}`;

const at = { cancellation: neverCancelled, report: () => {}, tell: () => {} };

/** Writes a program and its proof; both are in a folder of their own. */
async function proved(name: string, source: string, more: { readonly defines?: readonly string[] } = {}) {
  const file = join(folder, `${name}.c`);
  writeFileSync(file, source);
  const proof = join(folder, name);
  const { report } = await verify.work(verify.request(givenTo(verify, { words: [file], raw: { ...more, proof } })), at);
  return { file, proof, report };
}

async function checked(proof: string) {
  const report = describeCheck(await checkFolder(proof), { version: "", ms: 0 });
  expect(errorsIn(JSON.parse(JSON.stringify(report)), "CheckReport")).toEqual([]);
  return { report, text: checkText(report, plain) };
}

function edit(path: string, change: (manifest: Editable) => void): void {
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  change(manifest);
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A manifest as a forger sees it. */
// biome-ignore lint/suspicious/noExplicitAny: what is tried has no type.
type Editable = any;

describe("a proof about all runs in a folder", () => {
  it("is checked again from the program, by us, by z3 and by Coq", async () => {
    const { proof, report } = await proved("task", text);
    expect(report).toMatchObject({ verdict: "safe", assumptions: [] });
    const manifest = JSON.parse(readFileSync(join(proof, manifestName), "utf8"));
    expect(errorsIn(manifest)).toEqual([]);
    expect(errorsIn({ ...manifest, obligations: [{ text: "" }] })).not.toEqual([]);
    expect(manifest.obligations.length).toBeGreaterThan(2);
    const theorems = readFileSync(join(proof, "proof.v"), "utf8");
    expect(theorems.match(/^Theorem /gm)).toHaveLength(
      manifest.obligations.filter(({ coq }: { coq: unknown }) => coq === true).length,
    );
    if (hasTool("coqc")) expect(coqc(theorems)).toEqual({ status: 0, output: "" });
    if (hasTool("z3")) {
      for (const { script } of manifest.obligations) {
        expect(execFileSync("z3", [join(proof, script)], { encoding: "utf8" }).trim()).toBe("unsat");
      }
    }
    const { report: again } = await checked(proof);
    expect(again).toMatchObject({ status: "ok", problems: [], notChecked: ["witness.yml"] });
  });

  it("says what was proved: files with hashes, defines, entry, data model, property", async () => {
    const source = text.replace("if (i != n)", "#ifndef NDEBUG\n  if (i == n) reach_error();\n#endif\n  if (i != n)");
    const { file, proof } = await proved("defined", source, { defines: ["NDEBUG"] });
    const { report, text: told } = await checked(proof);
    const hash = createHash("sha256").update(source).digest("hex");
    expect(report.program).toEqual({ files: [{ path: relative("", file), sha256: hash }], entry: "main" });
    expect(report.settings).toMatchObject({ dataModel: "LP64", files: [{ defines: ["NDEBUG"] }] });
    expect(report.claim).toMatchObject({ kind: "program", property: "assert", certificate: { kind: "inductive" } });
    expect(told.split("\n")).toEqual([
      `file: ${relative("", file)} (sha-256 ${hash})`,
      "options: -D NDEBUG",
      "entry: main, data model LP64; uninitialised variables hold anything",
      "property: assert: no run fails an assertion or reaches an error location",
      "not checked: witness.yml (no part of the proof)",
      expect.stringMatching(/^proof accepted \(\d+ obligations, .*\) for all runs$/),
      "",
    ]);
    writeFileSync(file, `${source}\n`);
    const { report: edited, text: complaint } = await checked(proof);
    expect(edited).toMatchObject({
      status: "failed",
      problems: [{ of: "program", problem: "edited" }],
      obligations: [],
    });
    expect(complaint).toMatch(/^wrong: .*defined\.c was edited: the proof is about another text$/m);
    expect(complaint).toMatch(/^proof NOT accepted/m);
    rmSync(file);
    expect((await checked(proof)).report).toMatchObject({
      status: "failed",
      problems: [{ of: "program", problem: "missing" }],
    });
  });

  it("is not accepted with another certificate, or with one that claims more", async () => {
    const { proof } = await proved("edited", text);
    const path = join(proof, manifestName);
    const original = readFileSync(path, "utf8");
    const [head] = Object.keys(JSON.parse(original).claim.certificate.invariants);
    const changed = async (change: (certificate: Editable) => void) => {
      writeFileSync(path, original);
      edit(path, ({ claim }) => change(claim.certificate));
      return checked(proof);
    };
    for (const invariants of [[], ["false"], ["(<= 0 0)"]]) {
      const { report, text: told } = await changed((certificate) => (certificate.invariants[head!] = invariants));
      expect(report.status).not.toBe("ok");
      expect(told).not.toContain("proof accepted");
    }
    // What is claimed where no run comes to is looked at by nobody.
    const { report } = await changed((certificate) => (certificate.invariants["1:9999"] = ["false"]));
    expect(report).toMatchObject({ status: "failed", refusal: "it claims something at 1:9999, which no run comes to" });
    for (const change of [
      (certificate: Editable) => (certificate.theorem = "P = NP"),
      (certificate: Editable) => (certificate.depth = 0),
      (certificate: Editable) => (certificate.kind = "obvious"),
    ]) {
      await expect(changed(change)).rejects.toThrow('"claim" is missing or malformed');
    }
  });

  it("makes another claim for another property", async () => {
    const overflowing = text.replace("while (i < n) i++;", "while (i < n) i++; int sum = n + n; if (sum == 1) i = i;");
    const { proof } = await proved("property", overflowing);
    edit(join(proof, manifestName), ({ claim }) => (claim.property = "overflow"));
    const { report } = await checked(proof);
    expect(report.status).not.toBe("ok");
  });

  it("names edited and missing files", async () => {
    const { proof } = await proved("beside", text);
    const [script] = JSON.parse(readFileSync(join(proof, manifestName), "utf8")).obligations;
    writeFileSync(join(proof, script.script), "(check-sat)\n");
    rmSync(join(proof, "proof.v"));
    writeFileSync(join(proof, "witness.yml"), "- nothing\n");
    writeFileSync(join(proof, "readme.txt"), "trust me\n");
    const { report, text: told } = await checked(proof);
    const named = report.problems.map(({ path, of, problem }) => `${basename(path)} ${of} ${problem}`);
    expect(named.sort()).toEqual(
      [`${script.script} proof edited`, "proof.v proof missing", "witness.yml proof edited"].sort(),
    );
    expect(report).toMatchObject({ status: "failed", notChecked: ["readme.txt", "witness.yml"] });
    expect(told).toMatch(/^wrong: .*proof\.v is missing$/m);
    expect(told).toMatch(/^proof NOT accepted/m);
    edit(join(proof, manifestName), (manifest) => manifest.obligations.pop());
    expect((await checked(proof)).report.problems.map(({ path }) => basename(path))).toContain(manifestName);
  });

  it("prints the condition on which it holds", async () => {
    const { proof } = await proved(
      "conditional",
      text.replace("if (i != n)", "int a[4]; a[n % 1000003 == 1000002 ? 5 : 1] = 1; if (i != n)"),
    );
    const { report, text: told } = await checked(proof);
    expect(report.assumptions).toMatchObject([{ behaviour: "out-of-bounds-write" }]);
    expect(told).toMatch(/^safe if no out-of-bounds-write at .*conditional\.c:\d+:\d+$/m);
    expect(told).toMatch(/^proof accepted .* for all runs, on this condition$/m);
  });
});
