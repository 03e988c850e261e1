import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { root } from "../support/builtCli.ts";

/** What `reportFailure` prints and returns for an error thrown inside Tracefold. */
function report(thrown: string, debug: boolean) {
  const module = pathToFileURL(join(root, "src/cli/askEngine.ts")).href;
  const script = `import { reportFailure } from "${module}"; process.exitCode = reportFailure(${thrown}, ${debug});`;
  const { stderr, status } = spawnSync("node", ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
  });
  return { stderr, status };
}

describe("a defect of ours", () => {
  it("asks for a report and exits with 70, without a stack trace", () => {
    const { stderr, status } = report('new TypeError("x is not iterable")', false);
    expect(status).toBe(70);
    expect(stderr).toMatch(/^tracefold: internal defect: x is not iterable\n.*Please report it/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("shows where it happened with --debug", () => {
    expect(report('new TypeError("oops")', true).stderr).toMatch(/TypeError: oops\n\s+at /);
    expect(report('"a string"', false).status).toBe(70);
  });
});
