import { stripVTControlCharacters } from "node:util";
import { TracefoldError } from "../../base/errors.ts";

/** What the runner reports: a test, or a file that did not get to its tests. */
export type TestResult =
  | { readonly kind: "file"; readonly file: string; readonly message: string }
  | {
      readonly kind: "test";
      readonly file: string;
      /** `suite > test`. */
      readonly name: string;
      readonly status: string;
      readonly message: string;
    };

/** The failing test that a name means; says what is in the way where there is none. */
export function chooseTest(
  wanted: string,
  results: readonly TestResult[] | null,
  printed: string,
): { readonly name: string; readonly message: string } {
  const tests = (results ?? []).filter((result) => result.kind === "test");
  const ran = tests.filter(({ status }) => status === "passed" || status === "failed");
  const isNamed = ({ name }: { readonly name: string }) => name === wanted || name.endsWith(` > ${wanted}`);
  const named = ran.some(isNamed) ? ran.filter(isNamed) : ran;
  const failed = named.find(({ status }) => status === "failed");
  if (failed !== undefined) return failed;
  if (named.length > 0) {
    throw new TracefoldError({
      code: "TF126",
      message: `the test "${named[0]!.name}" passes: there is nothing to explain`,
      help: "Name a test that fails.",
    });
  }
  const broken = (results ?? []).find((result) => result.kind === "file");
  if (broken !== undefined || results === null) {
    throw new TracefoldError({
      code: "TF127",
      message: `the runner did not get to the tests: ${broken === undefined ? lastWords(printed) : `${broken.file}: ${firstLine(broken.message)}`}`,
      help: "Run the same command without tracefold: it has to get to the test and fail there.",
    });
  }
  const others = tests.slice(0, 3).map(({ name }) => `"${name}"`);
  throw new TracefoldError({
    code: "TF128",
    message: `no test is named "${wanted}"`,
    help: others.length === 0 ? "The runner found no tests." : `There are ${others.join(", ")} and others.`,
  });
}

/** What a compiler says comes below a line that ends in a colon, then where. */
function firstLine(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first, second, third] = lines;
  if (first === undefined || !first.endsWith(":") || second === undefined) return first ?? "";
  const place = /[\w./-]+:\d+:\d+/.exec(third ?? "")?.[0];
  return `${first} ${second}${place === undefined ? "" : ` (${place})`}`;
}

/** The line that says what is wrong, else the last one. */
function lastWords(printed: string): string {
  const lines = stripVTControlCharacters(printed)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "it printed nothing";
}
