import { stripVTControlCharacters } from "node:util";
import { nth } from "../../../base/checked.ts";
import { TracefoldError } from "../../../base/errors.ts";
import type { TestOutcome, TestRun } from "../../../js/runners/runner.ts";

/** Finds the failing test with a name, or the first failing one for null; explains why there is none. */
export function chooseTest(wanted: string | null, { tests, problems }: TestRun, printed: string): TestOutcome {
  const ran = tests.filter(({ state }) => state !== "skipped");
  const named = wanted === null ? ran : namedTests(wanted, ran);
  const failed = named.find(({ state }) => state === "failed");
  if (failed !== undefined) return failed;
  const [problem] = problems;
  const isThere = wanted !== null && named.length > 0;
  if (!isThere && (problem !== undefined || tests.length === 0)) {
    const said = problemText(problem, printed);
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

/** What went wrong outside of tests, in the runner's words; what it printed last if it says nothing else. */
export function problemText(problem: TestRun["problems"][number] | undefined, printed: string): string {
  const isSilent = problem === undefined || / ended with code /.test(problem.error.message);
  return isSilent ? lastWords(printed) : `${problem.file ?? "the run"}: ${firstLine(problem.error.message)}`;
}

/** The full name, the name without suites, or a part of the name. */
function namedTests(wanted: string, tests: readonly TestOutcome[]): readonly TestOutcome[] {
  // The second test with a name has its number behind it.
  const forms = (name: string) => [name, name.replace(/ \(\d+\)$/, "")];
  const isWhole = (name: string) => name === wanted || name.replaceAll(" > ", " ") === wanted;
  const whole = tests.filter(({ id: { name } }) => forms(name).some(isWhole));
  if (whole.length > 0) return whole;
  const own = tests.filter(({ id: { name } }) => forms(name).some((form) => form.endsWith(` > ${wanted}`)));
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
  return all.find((line) => /error/i.test(line)) ?? all.at(-1) ?? "it found no tests, and printed nothing";
}

function lines(text: string): readonly string[] {
  return stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
