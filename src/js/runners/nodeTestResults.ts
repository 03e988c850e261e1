import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinNames, type TestError, type TestOutcome, type TestRun } from "./runner.ts";

type TestEvent = {
  readonly type: "test:start" | "test:pass" | "test:fail";
  readonly name: string;
  readonly nesting: number;
  readonly file: string;
  readonly isSkipped: boolean;
  readonly isSuite: boolean;
  readonly milliseconds: number;
  readonly error: TestError | null;
};

const eventsName = "events.jsonl";

/** A reporter for `node --test`; Node loads it before anything else, so it stands alone. */
export function writeReporter(folder: string): string {
  const path = join(folder, "reporter.mjs");
  const events = join(folder, eventsName);
  writeFileSync(events, "");
  writeFileSync(
    path,
    `import { appendFileSync } from "node:fs";
import { inspect } from "node:util";
const print = (value) => (value === undefined ? null : typeof value === "string" ? value : inspect(value));
// Anything may be thrown, also what cannot become a text.
const text = (value, otherwise) => (typeof value === "string" ? value : otherwise);
const describe = (error) => ({
  name: text(error?.name, ""), message: text(error?.message, print(error) ?? "undefined"), stack: text(error?.stack, ""),
  expected: print(error?.expected), actual: print(error?.actual), matcher: error?.operator ?? null,
});
export default async function* (source) {
  for await (const { type, data } of source) {
    if (!/^test:(start|pass|fail)$/.test(type)) continue;
    const { name, nesting, file = "", details, skip, todo } = data;
    const error = details?.error;
    const event = {
      type, name, nesting, file, isSkipped: skip !== undefined || todo !== undefined,
      isSuite: details?.type === "suite", milliseconds: details?.duration_ms ?? 0,
      error: error == null ? null : describe(error.cause ?? error),
    };
    appendFileSync(${JSON.stringify(events)}, JSON.stringify(event) + "\\n");
  }
  yield "";
}
`,
  );
  return path;
}

/** Null if nothing was reported. */
export function readReport(folder: string): TestRun | null {
  const path = join(folder, eventsName);
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  if (lines.length === 0) return null;
  const tests: TestOutcome[] = [];
  const problems: TestRun["problems"][number][] = [];
  let names: readonly string[] = [];
  for (const line of lines) {
    const { type, name, nesting, file, isSuite, isSkipped, milliseconds, error } = JSON.parse(line) as TestEvent;
    if (type === "test:start") names = [...names.slice(0, nesting), name];
    else if (isSuite) continue;
    else if (nesting === 0 && file.endsWith(name)) {
      // The file itself: it could not be loaded.
      if (error !== null) problems.push({ file, error });
    } else {
      const state = isSkipped ? "skipped" : type === "test:pass" ? "passed" : "failed";
      const id = { file, name: joinNames([...names.slice(0, nesting), name]), project: "" };
      tests.push({ id, state, milliseconds, error: state === "failed" ? error : null });
    }
  }
  return { tests, problems };
}
