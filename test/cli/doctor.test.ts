import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { examine } from "../../src/commands/doctor/examine.ts";
import { doctorText } from "../../src/render/doctorText.ts";
import { plain } from "../../src/render/layout.ts";
import { builtCli, root } from "../support/builtCli.ts";

const place = mkdtempSync(join(tmpdir(), "tracefold-doctor-"));
afterAll(() => rmSync(place, { recursive: true }));

/** A folder of programs: each prints a text, or fails. */
function programs(name: string, texts: Readonly<Record<string, string | null>>): string {
  const folder = join(place, name);
  mkdirSync(folder);
  for (const [program, text] of Object.entries(texts)) {
    const script = text === null ? "#!/bin/sh\nexit 3\n" : `#!/bin/sh\necho '${text}'\n`;
    writeFileSync(join(folder, program), script, { mode: 0o755 });
  }
  return folder;
}

describe("tracefold --version", () => {
  it("prints versions as data with --json", () => {
    const words = (...given: readonly string[]) =>
      spawnSync(process.execPath, [builtCli(), ...given], { encoding: "utf8" }).stdout;
    const { tracefold, node, platform, arch } = JSON.parse(words("--version", "--json"));
    expect(words("--version")).toBe(`${tracefold}\n`);
    expect([`v${node}`, platform, arch]).toEqual([process.version, process.platform, process.arch]);
  });
});

describe("tracefold doctor", () => {
  it("finds programs with their versions, and says what missing ones would add", async () => {
    const searchPath = programs("some", { z3: "Z3 version 4.8.12 - 64 bit", cvc5: null });
    const report = await examine({ folder: root, searchPath, nodeVersion: process.version });
    const part = (name: string) => report.parts.find((each) => each.name === name);
    expect(report.status).toBe("ok");
    expect(part("z3")).toMatchObject({ state: "works", found: `4.8.12 (${join(searchPath, "z3")})`, help: null });
    expect(part("cvc5")).toMatchObject({ state: "broken", found: `${join(searchPath, "cvc5")}: exit 3` });
    expect(part("gcc")).toMatchObject({ state: "missing", found: null });
    expect(part("solver")).toMatchObject({ state: "works", found: expect.stringMatching(/^z3 .*\(embedded\)$/) });
    expect(part("parser")).toMatchObject({ state: "works" });
    expect(part("queue")).toMatchObject({ state: "works", found: "bullmq and ioredis" });
    expect(part("test runner")).toMatchObject({ state: "works", found: expect.stringMatching(/^vitest \d/) });
    const text = doctorText(report, plain);
    expect(text).toContain("gcc:         not found\n             would add: gives this machine's own headers");
    expect(text).toContain("Debian: apt install cvc5");
    expect(text.endsWith("Everything that is necessary works.\n")).toBe(true);
  });

  it("fails where a necessary part does not work", async () => {
    const folder = programs("none", {});
    const report = await examine({ folder, searchPath: folder, nodeVersion: "v18.20.0" });
    expect(report.status).toBe("failed");
    expect(report.parts[0]).toMatchObject({ name: "Node", state: "broken", help: "Install Node 20.19 or later." });
    expect(report.parts.at(-1)).toMatchObject({ name: "test runner", state: "missing" });
    expect(doctorText(report, plain)).toContain("A necessary part does not work.");
  });

  it("says what is wrong with a package.json", async () => {
    const folder = programs("broken", {});
    writeFileSync(join(folder, "package.json"), "{");
    const report = await examine({ folder, searchPath: folder, nodeVersion: process.version });
    expect(report.parts.at(-1)?.help).toMatch(/package\.json is no JSON/);
  });
});
