import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../src/base/cancellation.ts";
import { givenTo } from "../../src/commands/command.ts";
import { compress as compressCommand } from "../../src/commands/compress/command.ts";

describe("a folder for the proof that cannot be written to", () => {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-proof-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "closed"));
  chmodSync(join(folder, "closed"), 0o500);

  /** The program is missing: whatever looks at it first complains about it. */
  const compress = (proof: string) => {
    const program = join(folder, "missing.c");
    const raw = { maxSteps: "1000", proof: join(folder, proof) };
    const request = compressCommand.request(givenTo(compressCommand, { words: [program], raw }));
    return compressCommand.work(request, { cancellation: neverCancelled, report: () => {}, tell: () => {} });
  };

  it.each(["file", "file/below"])("is reported before the program is loaded: %s", async (proof) => {
    await expect(compress(proof)).rejects.toMatchObject({ code: "TF133", message: expect.stringContaining("ENOTDIR") });
  });

  // Who may write everywhere finds out when writing.
  it.skipIf(process.getuid?.() === 0)("is reported for a folder inside it", async () => {
    await expect(compress("closed/below")).rejects.toMatchObject({ code: "TF133" });
  });

  it("is created if it does not exist yet", async () => {
    await expect(compress("new/below")).rejects.toMatchObject({ code: "TF101" });
  });
});
