import { count, flag, list, type Options, seconds, text, usageError } from "../commands/options/option.ts";
import { splitWords } from "../commands/options/testOptions.ts";
import type { Service } from "../commands/service.ts";

const defaultSeconds = 60;

const options = {
  programs: list(
    "--c <words>",
    'C tests, as the words of tracefold explain: --c "test_x.c x.c -I include"; may be given several times',
  ),
  most: count("--most <count>", "how many failing tests to explain", 3),
  base: text("--base <revision>", "explain only what does not fail in this revision of git, for example origin/main"),
  contracts: flag("--contracts", "with --base: also compare the contracts that the tests show (infer --base)"),
  summary: text(
    "--summary <path>",
    "append the screens to a file as Markdown; without it they are printed as text. On GitHub GITHUB_STEP_SUMMARY names the file",
  ),
  sarif: text("--sarif <path>", "write one SARIF file for code scanning"),
  pages: text("--pages <folder>", "write a page for each explained test"),
  annotations: flag("--annotations", "print annotations for GitHub at the failures and the suspected lines"),
  seconds: seconds("--timeout <seconds>", `time limit for one test (${defaultSeconds})`),
} satisfies Options;

/** `tracefold ci`: runs the tests, and explains those that fail, for a pull request. */
export const ci: Service<typeof options> = {
  name: "ci",
  summary: "run tests and explain those that fail: summary, annotations, SARIF, pages",
  teaching: `
  tracefold ci -- npm test                        vitest, jest, mocha, node:test
  tracefold ci --c "test_stack.c stack.c"         tests in C; no compiler is needed
  tracefold ci --base origin/main -- npm test     only what is new against a revision

The exit status is 0 if no test fails (with --base: none that passes there), 1 if one does or if
tests cannot be run. On GitHub the action of this repository does all of it: docs/ci.md.`,
  options,
  async serve(flags, words) {
    const { programs, base, contracts, seconds: limit, ...rest } = flags;
    if (words.length === 0 && programs.length === 0)
      throw usageError("ci needs the command that runs the tests after --, or C tests with --c");
    if (contracts && (base === null || words.length === 0))
      throw usageError("--contracts compares tests of a JavaScript project: give --base and the test command");
    const { explainTests } = await import("./explainTests.ts");
    return explainTests({
      ...rest,
      ...{ base, contracts, testCommand: words, seconds: limit ?? defaultSeconds },
      programs: programs.map((each) => splitWords("--c", each)),
      annotations: flags.annotations || process.env.GITHUB_ACTIONS === "true",
      summary: flags.summary ?? process.env.GITHUB_STEP_SUMMARY ?? null,
      output: process.env.GITHUB_OUTPUT ?? null,
    });
  },
};
