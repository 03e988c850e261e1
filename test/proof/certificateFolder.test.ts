import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../src/base/cancellation.ts";
import { verify } from "../../src/engine/commands/verify.ts";
import { describeCertificate } from "../../src/jobs/check/describeCertificate.ts";
import { certificateName, checkCertificateFolder } from "../../src/proof/certificateFolder.ts";
import { checkText } from "../../src/report/checkText.ts";
import { plain } from "../../src/report/paint.ts";
import { defaultFlags } from "../engine/defaultFlags.ts";
import { root } from "../support/builtCli.ts";
import { coqc } from "../support/coqc.ts";
import { hasTool } from "../support/tools.ts";

const ajv = new Ajv2020({ strictTypes: false });
for (const name of ["common", "certificate"]) {
  ajv.addSchema(JSON.parse(readFileSync(join(root, `schema/${name}.schema.json`), "utf8")));
}

function errorsIn(manifest: unknown): unknown {
  const validate = ajv.getSchema("tracefold/certificate.schema.json")!;
  validate(manifest);
  return validate.errors ?? [];
}

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

describe("a certificate in a folder", () => {
  it("is checked again from the program; another one, or for another program, is not accepted", async () => {
    const file = join(folder, "task.c");
    writeFileSync(file, text);
    const proof = join(folder, "proof");
    const flags = { ...defaultFlags(verify), proof };
    const request = verify.request({ words: [file], programArguments: [], flags, colours: false });
    const at = { cancellation: neverCancelled, report: () => {}, tell: () => {} };
    const { report } = await verify.work(request, at);
    expect(report).toMatchObject({ verdict: "safe", assumptions: [] });
    expect((await checkCertificateFolder(proof, {})).check.kind).toBe("proved");
    const path = join(proof, certificateName);
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    expect(errorsIn(manifest)).toEqual([]);
    expect(errorsIn({ ...manifest, questions: [{ what: "" }] })).not.toEqual([]);
    expect(manifest.questions.length).toBeGreaterThan(2);
    const theorems = readFileSync(join(proof, "proof.v"), "utf8");
    expect(theorems.match(/^Theorem /gm)).toHaveLength(
      manifest.questions.filter(({ coq }: { coq: unknown }) => coq === true).length,
    );
    if (hasTool("coqc")) expect(coqc(theorems)).toEqual({ status: 0, output: "" });
    if (hasTool("z3")) {
      for (const { script } of manifest.questions) {
        expect(execFileSync("z3", [join(proof, script)], { encoding: "utf8" }).trim()).toBe("unsat");
      }
    }
    const [head] = Object.keys(manifest.certificate.invariants);
    const withInvariants = (invariants: readonly string[]) => {
      const certificate = { ...manifest.certificate, invariants: { [head!]: invariants } };
      writeFileSync(path, JSON.stringify({ ...manifest, certificate }));
    };
    withInvariants([]);
    expect((await checkCertificateFolder(proof, {})).check.kind).toBe("refused");
    withInvariants(["false"]);
    expect((await checkCertificateFolder(proof, {})).check.kind).toBe("refused");
    writeFileSync(file, text.replace("i != n", "i == n"));
    await expect(checkCertificateFolder(proof, {})).rejects.toThrow(/it was changed/);
  });

  it("whoever checks it is told on which condition it holds", async () => {
    const file = join(folder, "conditional.c");
    writeFileSync(file, text.replace("if (i != n)", "int a[4]; a[n % 1000003 == 1000002 ? 5 : 1] = 1; if (i != n)"));
    const proof = join(folder, "conditional");
    const flags = { ...defaultFlags(verify), proof };
    const request = verify.request({ words: [file], programArguments: [], flags, colours: false });
    await verify.work(request, { cancellation: neverCancelled, report: () => {}, tell: () => {} });
    const checked = await checkCertificateFolder(proof, {});
    const report = describeCertificate(checked, { version: "", ms: 0, manifest: "" });
    expect(report.assumptions).toMatchObject([{ behaviour: "out-of-bounds-write" }]);
    const told = checkText(report, plain);
    expect(told).toMatch(/^safe if no out-of-bounds-write at .*conditional\.c:\d+:\d+$/m);
    expect(told).toMatch(/^proof accepted .* for all runs, on this condition$/m);
  });
});
