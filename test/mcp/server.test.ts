import { spawn, spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CallToolResultSchema, EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRunning } from "../../src/base/isRunning.ts";
import { listedTools } from "../../src/mcp/server.ts";
import { estimateTokens, mostTokens } from "../../src/mcp/tokens.ts";
import { instructions } from "../../src/mcp/tools.ts";
import { builtCli } from "../support/builtCli.ts";
import {
  countTokens,
  filesIn,
  startClient,
  type TestClient,
  type TestWorkspace,
  until,
  workspaceOf,
} from "./client.ts";

const twice = `#include <assert.h>
int twice(int x) { return x + x + 1; }
void test_two(void) { assert(twice(2) == 4); }
void test_odd(void) { assert(twice(3) % 2 == 0); }
int main(void) { test_two(); test_odd(); return 0; }
`;
/** The failing statement is far from what decides its value, and its condition has two parts. */
const checked = `#include <assert.h>
static int sum(int n) { int s = 0; for (int i = 1; i < n; i++) s += i % 2 == 0 ? i : 1; return s; }
static void check(int got, int expected) {
  int same = got == expected;
  assert(got > 0 && same);
}
int main(void) { check(sum(1) + 1, 1); check(sum(6), 10); return 0; }
`;
const freed = `#include <stdlib.h>
static void release(int *p) { free(p); }
int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; release(p); return *p; }
`;
const endless = "unsigned x = 1;\nint main(void) { for (;;) x = x * 5 + 1; }\n";
/** The test hangs, with a process beside it. */
const hanging = `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
test("hangs", () => {
  const { pid } = spawn("sleep", ["600"], { stdio: "ignore" });
  writeFileSync("started.txt", \`\${pid}\`);
  for (;;);
});
`;

let workspace: TestWorkspace;
let client: TestClient;

beforeAll(async () => {
  workspace = workspaceOf(
    {
      "twice.c": twice,
      "checked.c": checked,
      "freed.c": freed,
      "endless.c": endless,
      "outside.c": '#include "../temporary/secret.h"\nint main(void) { return 1; }\n',
      "absolute.c": '#include "/etc/passwd"\nint main(void) { return 1; }\n',
      "hanging/hang.test.js": hanging,
      "package.json": '{ "type": "module" }',
    },
    ["examples/node-test"],
  );
  writeFileSync(join(workspace.temporary, "secret.h"), "SECRET\n");
  symlinkSync(join(workspace.temporary, "secret.h"), join(workspace.root, "link.c"));
  client = await startClient(workspace, ["--timeout", "20", "--runs", "3", "--test-command", "node --test hanging/"]);
});

afterAll(async () => {
  await client.close();
  workspace.remove();
});

describe("the tools", () => {
  it("are at most eight, and take at most 2,000 tokens together, also where a tokenizer makes 40 % more", async () => {
    const { tools } = await client.client.listTools();
    expect(tools).toEqual(listedTools());
    expect(tools.length).toBeLessThanOrEqual(8);
    expect(1.4 * countTokens(instructions + JSON.stringify(tools))).toBeLessThanOrEqual(2000);
  });
});

describe("the command", () => {
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [builtCli(), "mcp", ...words], { encoding: "utf8" });

  it("says in its help how a client starts it, and what the agent may do", () => {
    const { stdout, status } = run("--help");
    expect(stdout).toContain('"mcpServers"');
    expect(stdout).toMatch(/It names a\s+command, and never writes one/);
    expect(status).toBe(0);
  });

  it("says what is wrong with its options", () => {
    const { stderr, status } = run("--root", join(workspace.root, "nowhere"));
    expect([stderr, status]).toEqual([expect.stringMatching(/^TF132: --root: cannot read .*no such file/), 2]);
  });

  it("ends when the client closes the connection, whatever it sent", () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [builtCli(), "mcp", "--root", workspace.root], {
      input: "this is no JSON\n",
      encoding: "utf8",
      env: { PATH: process.env.PATH, TMPDIR: workspace.temporary },
    });
    expect([stdout, stderr, status]).toEqual(["", expect.stringContaining("is not valid JSON"), 0]);
  });
});

describe("a failing C program", () => {
  it("is explained, asked about, changed and confirmed", async () => {
    const explained = await client.tell("explain", { files: ["twice.c"] });
    expect(explained).toMatch(/^suspect 1 .*twice\.c:2 in twice/m);
    expect(explained).toMatch(/^c1 twice\.c:2: .*\[re-run\]$/m);
    const run = /run (r\d+):/.exec(explained)?.[1];
    const failure = await client.tell("why", { run });
    const step = / from (s\d+) twice\.c:2/.exec(failure)?.[1];
    expect(step).toBeDefined();
    expect(await client.tell("why", { run, step })).toContain("x = 2");
    expect(await client.tell("why", { run, file: "twice.c", line: 4, not: true })).toMatch(
      /not executed.*\[observed\]/,
    );
    expect(await client.tell("why", { run, line: 2 })).toContain("twice.c:2");
    const tried = await client.tell("try_change", { run, change: "c1" });
    expect(tried).toMatch(/^all 3 tests pass \[re-run\]$/m);
    expect(tried).toContain("+++ b/twice.c");
    const other = await client.tell("try_change", {
      run,
      edits: [{ file: "twice.c", old: "x + x + 1", new: "x + x - 1" }],
    });
    expect(other).toMatch(/^"the run" still fails: .*; 0 of 3 tests pass/m);
    const broken = await client.tell("try_change", { run, edits: [{ file: "twice.c", old: "x + x + 1", new: "4" }] });
    expect(broken).toMatch(/^all 3 tests pass/m);
    const invalid = await client.tell("try_change", { run, edits: [{ file: "twice.c", old: "x + x + 1", new: "y" }] });
    expect(invalid).toMatch(/^not tried: the changed program cannot be read: twice\.c:2:27: TF166/m);
    expect(readFileSync(join(workspace.root, "twice.c"), "utf8")).toBe(twice);
  });

  it("is asked why it fails: what the failing statement read, and from where", async () => {
    const run = /run (r\d+):/.exec(await client.tell("explain", { files: ["checked.c"] }))?.[1];
    const why = await client.tell("why", { run });
    expect(why).toMatch(/^s\d+ checked\.c:5 in check: .*`got > 0` was true, `same` was false/m);
    expect(why).toMatch(/^ got = 9 from s\d+ checked\.c:7 in main/m);
    expect(why).toMatch(/^ same = 0 from s\d+ checked\.c:4 in check/m);
    const sum = await client.tell("why", { run, file: "checked.c", variable: "s" });
    const step = /^(s\d+) checked\.c:2 in sum/.exec(sum)?.[1];
    expect(sum).toMatch(/^ i = 5 from s\d+ /m);
    // Not from another part of the same statement.
    expect(sum.split("read later by:")[0]).not.toContain(`from ${step} `);
  });

  it("is told where its memory was freed, and called from where", async () => {
    const run = /run (r\d+):/.exec(await client.tell("explain", { files: ["freed.c"] }))?.[1];
    const why = await client.tell("why", { run });
    expect(why).toMatch(/^ why it was freed there: s\d+ freed\.c:2 in release: `free\(p\);`/m);
    expect(why).toMatch(/^ which place: p = .* from s\d+ freed\.c:3 in main/m);
  });

  it("tells how each claim is known, and what was left out", async () => {
    const text = await client.tell("explain", { files: ["twice.c"] });
    const claims = text.split("\n").filter((line) => /^(run|fails|suspect|c\d|s\d| )/.test(line));
    expect(claims.filter((line) => !/\[(proved|re-run|observed)\]$/.test(line))).toEqual([]);
    const [, left, answer, from] =
      /^left out: (\d+) of \d+ lines; more \{"answer":"(a\d+)","from":(\d+)\}$/m.exec(text) ?? [];
    const rest = await client.tell("more", { answer, from: Number(from) });
    expect(rest.split("\n").filter((line) => !line.startsWith("left out"))).toHaveLength(Number(left));
  });

  it("is refused a change after its file has changed; a new run is independent of the old one", async () => {
    const path = join(workspace.root, "changing.c");
    writeFileSync(path, twice);
    const old = /run (r\d+)/.exec(await client.tell("explain", { files: ["changing.c"] }))?.[1];
    writeFileSync(path, twice.replace("x + x + 1", "x + x + 3"));
    const { text, isError } = await client.call("try_change", { run: old, change: "c1" });
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining(`changing.c has changed since ${old} was recorded`),
    ]);
    const now = /run (r\d+)/.exec(await client.tell("explain", { files: ["changing.c"] }))?.[1];
    const values = async (run: string | undefined) => client.tell("why", { run, line: 2 });
    expect(await values(old)).toContain("returned 5");
    expect(await values(now)).toContain("returned 7");
  });
});

describe("calls that cannot be answered", () => {
  it.each([
    ["explain", { files: ["../temporary/secret.h"] }, /TF107: .* outside of the workspace/],
    ["explain", { files: ["link.c"] }, /TF107: link\.c is outside/],
    ["explain", { files: ["/etc/passwd"] }, /TF107: \/etc\/passwd is outside/],
    ["explain", { files: ["../nothing.c"] }, /TF107: .* outside/],
    ["explain", { files: ["nothing.c"] }, /TF107: nothing\.c: there is no such file/],
    ["explain", { files: ["outside.c"] }, /TF118: cannot find the header "\.\.\/temporary\/secret\.h"/],
    ["explain", { files: ["absolute.c"] }, /TF118: cannot find the header "\/etc\/passwd"/],
    ["explain", { files: ["twice.c"], tests: ".." }, /TF107: \.\. is outside/],
    ["explain", { files: "twice.c" }, /TF105: "files" must be a list of strings/],
    ["explain", { file: "twice.c" }, /TF105: there is no parameter "file"/],
    ["explain", { command: "rm -rf /" }, /TF108: no command is configured as "rm -rf \/"[\s\S]*There are: test/],
    ["explain", { run: "r99" }, /TF106: there is no run "r99"/],
    ["why", {}, /TF105: "run" is missing/],
    ["why", { run: "nonsense" }, /TF106: there is no run "nonsense"/],
    ["try_change", { run: "r99", change: "c1" }, /TF106/],
    ["more", { answer: "a999" }, /TF106: there is no answer/],
    ["contracts", { against: "--output=/tmp/x" }, /TF105: .* is no revision/],
    ["contracts", { against: "k7" }, /TF106: there is no contracts "k7"/],
    ["verify", {}, /TF105: "files" is missing/],
  ])("%s %j", async (name, given, problem) => {
    const { text, isError } = await client.call(name, given);
    expect([text, isError]).toEqual([expect.stringMatching(problem), true]);
    expect(text).not.toContain("SECRET");
    expect(text).not.toContain("    at ");
  });

  it("name the tools if there is no such tool", async () => {
    await expect(client.call("shell", { command: "ls" })).rejects.toThrow(
      /there is no tool "shell"; there are explain/,
    );
  });

  it("say what to correct, also below the level of tools", async () => {
    const ask = (method: string, params: object) =>
      client.client.request({ method, params } as never, EmptyResultSchema);
    await expect(ask("tools/call", {})).rejects.toThrow(/there is no tool without a name; there are explain/);
    await expect(ask("tools/call", { name: 7 })).rejects.toThrow(/there is no tool 7;/);
    await expect(ask("tools/other", {})).rejects.toThrow(/there is no method tools\/other/);
    expect(await client.client.request({ method: "ping" }, EmptyResultSchema)).toEqual({});
    const listed = await client.client.request(
      { method: "tools/call", params: { name: "why", arguments: [1] } } as never,
      CallToolResultSchema,
    );
    expect(listed.isError).toBe(true);
    expect(JSON.stringify(listed.content)).toContain("must be an object, not [1]");
  });

  it("are refused for runs that were closed, because only some stay open", async () => {
    const runs: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) runs.push(/run (r\d+)/.exec(await client.tell("explain", { files: ["twice.c"] }))?.[1]);
    const { text, isError } = await client.call("why", { run: runs[0] });
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/is closed.*\n {2}Open are r\d+, r\d+, r\d+\. Call explain/),
    ]);
    await client.tell("why", { run: runs[3] });
  });
});

describe("many calls", () => {
  it("are all answered, a hundred at a time", async () => {
    const run = /run (r\d+)/.exec(await client.tell("explain", { files: ["twice.c"] }))?.[1];
    const calls = Array.from({ length: 100 }, (_, i) => {
      if (i % 20 === 0) return client.call("try_change", { run, change: "c1" });
      return i % 5 === 1 ? client.call("why", { run: "r0" }) : client.call("why", { run, line: 2 });
    });
    const told = await Promise.all(calls);
    expect(told.filter(({ isError }) => isError)).toHaveLength(20);
    expect(told.filter(({ text }) => text.startsWith("all 3 tests pass"))).toHaveLength(5);
    expect(told.filter(({ text }) => text.includes("twice.c:2"))).toHaveLength(75);
  });
});

describe("long work", () => {
  it("tells what it does, and ends when it is cancelled; other calls are answered meanwhile", async () => {
    const messages: string[] = [];
    const own = workspaceOf({ "endless.c": endless, "twice.c": twice });
    const other = await startClient(own, [], (message) => messages.push(message));
    const run = /run (r\d+)/.exec(await other.tell("explain", { files: ["twice.c"] }))?.[1];
    messages.length = 0;
    const controller = new AbortController();
    const long = other.call("explain", { files: ["endless.c"] }, { signal: controller.signal });
    const waiting = other.call("explain", { files: ["twice.c"] });
    await until(() => messages.includes("running") && messages.includes("waiting for 1 other call"));
    await other.tell("why", { run, line: 2 });
    controller.abort("enough");
    await expect(long).rejects.toThrow("enough");
    expect((await waiting).isError).toBe(false);
    await other.close();
    own.remove();
  });

  it("leaves no process and no file when the client is killed", async () => {
    const own = workspaceOf({ "hanging/hang.test.js": hanging, "package.json": '{ "type": "module" }' });
    // A client of its own process: it starts the server, calls, and is killed like a crash.
    const script = `
      const { spawn } = await import("node:child_process");
      const server = spawn(process.execPath, ${JSON.stringify([builtCli(), "mcp", "--test-command", "node --test hanging/"])}, { stdio: ["pipe", "ignore", "ignore"] });
      const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
      send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } } });
      send({ method: "notifications/initialized" });
      send({ id: 2, method: "tools/call", params: { name: "explain", arguments: {} } });
      console.log(server.pid);`;
    const killed = spawn(process.execPath, ["--input-type=module", "-e", script], {
      cwd: own.root,
      env: { PATH: process.env.PATH ?? "", TMPDIR: own.temporary },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let printed = "";
    killed.stdout.on("data", (data: Buffer) => {
      printed += data.toString();
    });
    const started = join(own.root, "started.txt");
    await until(() => filesIn(own.root).includes("started.txt") && readFileSync(started, "utf8") !== "");
    const [server, sleeper] = [Number(printed), Number(readFileSync(started, "utf8"))];
    expect([isRunning(server), isRunning(sleeper)]).toEqual([true, true]);
    killed.kill("SIGKILL");
    await until(() => !isRunning(server) && !isRunning(sleeper));
    expect(filesIn(own.temporary)).toEqual([]);
    own.remove();
  });
});

describe("all answers of this file", () => {
  it("have at most 800 tokens, and fewer than was estimated", () => {
    expect(client.sizes.length).toBeGreaterThan(100);
    expect(Math.max(...client.sizes)).toBeLessThanOrEqual(mostTokens);
  });

  it("are estimated carefully, whatever the text", () => {
    const texts = [
      twice,
      endless,
      hanging,
      instructions,
      "s12 src/a.ts:3 in f: `x += 12345678` x = “—”",
      "不要 🙂 été",
    ];
    for (const text of texts) expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
  });
});
