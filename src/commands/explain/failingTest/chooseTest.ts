import { createRequire } from "node:module";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { nth } from "../../../base/checked.ts";
import { TracefoldError } from "../../../base/errors.ts";
import type { TestOutcome, TestRun } from "../../../js/runners/runner.ts";

/** `npx vitest run cart` gives `run cart`. */
export function vitestWords(command: readonly string[]): readonly string[] {
  const at = command.findIndex((word) => /(^|\/)vitest(\.m?js)?$/.test(word));
  if (at === -1) {
    throw new TracefoldError({
      code: "TF129",
      message: `explain --test runs vitest, and this is another command: ${command.join(" ")}`,
      help: "For example: tracefold explain --test NAME -- npx vitest run",
    });
  }
  const words = command.slice(at + 1).filter((word) => word !== "--watch");
  return words[0] === "run" ? words : ["run", ...words];
}

export function requireVitest(root: string): void {
  try {
    createRequire(join(root, "package.json")).resolve("vitest/node");
  } catch (error) {
    if (!/MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED/.test(`${(error as NodeJS.ErrnoException).code}`)) throw error;
    throw new TracefoldError({
      code: "TF129",
      message: `vitest is not installed in ${root}`,
      help: "Install it there (npm install --save-dev vitest), or run this in the folder of the project.",
    });
  }
}

/** Finds the failing test with a name, or the first failing one for null; explains why there is none. */
export function chooseTest(wanted: string | null, { tests, problems }: TestRun, printed: string): TestOutcome {
  const ran = tests.filter(({ state }) => state !== "skipped");
  const named = wanted === null ? ran : namedTests(wanted, ran);
  const failed = named.find(({ state }) => state === "failed");
  if (failed !== undefined) return failed;
  const [problem] = problems;
  if (problem !== undefined || tests.length === 0) {
    const said =
      problem === undefined ? lastWords(printed) : `${problem.file ?? "the run"}: ${firstLine(problem.error.message)}`;
    throw new TracefoldError({
      code: "TF127",
      message: `the runner did not get to the tests: ${said}`,
      help: "Run the same command without tracefold: it has to get to the test and fail there.",
    });
  }
  if (named.length > 0) {
    const what = wanted === null ? "all tests pass" : `the test "${nth(named, 0).id.name}" passes`;
    throw new TracefoldError({
      code: "TF126",
      message: `${what}: there is nothing to explain`,
      help: "Name a test that fails.",
    });
  }
  const others = tests.slice(0, 3).map(({ id }) => `"${id.name}"`);
  throw new TracefoldError({
    code: "TF128",
    message: `no test is named "${wanted}"`,
    help: `There are ${others.join(", ")} and others.`,
  });
}

/** The full name, the name without suites, or a part of the name. */
function namedTests(wanted: string, tests: readonly TestOutcome[]): readonly TestOutcome[] {
  const whole = tests.filter(({ id: { name } }) => name === wanted || name.replaceAll(" > ", " ") === wanted);
  if (whole.length > 0) return whole;
  const own = tests.filter(({ id: { name } }) => name.endsWith(` > ${wanted}`));
  return own.length > 0 ? own : tests.filter(({ id: { name } }) => name.includes(wanted));
}

/** Compiler messages follow a line that ends in a colon. */
function firstLine(text: string): string {
  const [first, second, third] = lines(text);
  if (first === undefined || !first.endsWith(":") || second === undefined) return first ?? "";
  const place = /[\w./-]+:\d+:\d+/.exec(third ?? "")?.[0];
  return `${first} ${second}${place === undefined ? "" : ` (${place})`}`;
}

/** The line with the error, otherwise the last line. */
function lastWords(printed: string): string {
  const all = lines(printed);
  return all.find((line) => /error/i.test(line)) ?? all.at(-1) ?? "it printed nothing";
}

function lines(text: string): readonly string[] {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
