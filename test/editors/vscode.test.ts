import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findingsOf, type SarifLog } from "../../editors/vscode/src/sarif.ts";
import { builtCli, root } from "../support/builtCli.ts";

const manifest = JSON.parse(readFileSync(join(root, "editors/vscode/package.json"), "utf8"));

describe("the extension for VS Code", () => {
  it("reads the findings of an explanation", () => {
    const words = ["explain", "examples/tests/test_stack.c", "examples/tests/stack.c", "--format", "sarif"];
    const { stdout } = spawnSync(process.execPath, [builtCli(), ...words], { cwd: root, encoding: "utf8" });
    const findings = findingsOf(JSON.parse(stdout) as SarifLog);
    const [failure] = findings;
    expect(failure).toMatchObject({
      level: "error",
      message: expect.stringContaining("CHECK(value == 40)"),
      place: { file: "examples/tests/test_stack.c", start: [33, 2] },
    });
    const places = findings.flatMap(({ place, related }) => [place, ...related.map((each) => each.place)]);
    expect(places.some(({ file, start }) => file === "examples/tests/stack.c" && start[0] === 3)).toBe(true);
  });

  it("reads logs that lack something", () => {
    const location = { physicalLocation: { artifactLocation: { uri: "a%20b.c" } } };
    const log = { runs: [{}, { results: [{ message: {} }, { message: { text: "x" }, locations: [location] }] }] };
    expect(findingsOf(log)).toMatchObject([
      { level: "warning", message: "x", place: { file: "a b.c", start: [0, 0] }, related: [] },
    ]);
  });

  it("describes the settings that a launch takes, and no others", () => {
    const declared = Object.keys(manifest.contributes.debuggers[0].configurationAttributes.launch.properties);
    const source = readFileSync(join(root, "src/dap/launch.ts"), "utf8");
    const type = /export type LaunchSettings = \{(.*?)\n\};/s.exec(source)?.[1] ?? "";
    const taken = [...type.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name);
    expect(declared.sort()).toEqual(taken.sort());
    expect(manifest.version).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
  });
});
