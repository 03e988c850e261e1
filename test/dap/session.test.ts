import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isRunning } from "../../src/base/isRunning.ts";
import { builtCli, root } from "../support/builtCli.ts";

const stack = join(root, "examples/tests/stack.c");
const tests = join(root, "examples/tests/test_stack.c");
const folder = mkdtempSync(join(tmpdir(), "tracefold-dap-"));
afterAll(() => rmSync(folder, { recursive: true }));

let client: DebugClient;
let stopped: { reason: string; text?: string; hitBreakpointIds?: number[] }[] = [];
let printed = "";

async function start(): Promise<void> {
  client = new DebugClient(builtCli(), "dap", "tracefold", { cwd: root });
  client.defaultTimeout = 120_000;
  stopped = [];
  printed = "";
  client.on("stopped", ({ body }) => stopped.push(body));
  client.on("output", ({ body }) => {
    printed += body.output;
  });
  await client.start();
  await client.initializeRequest();
}

async function launch(settings: object): Promise<void> {
  const initialized = client.waitForEvent("initialized");
  await client.customRequest("launch", settings);
  await initialized;
}

async function move(request: string, given: object = {}): Promise<string> {
  const event = client.waitForEvent("stopped");
  await client.customRequest(request, { threadId: 1, ...given });
  await event;
  return place();
}

/** `stack_push:6`: where the innermost frame is. */
async function place(): Promise<string> {
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  const [frame] = body.stackFrames;
  return `${frame?.name}:${frame?.line}`;
}

async function variables(scope: string, frameId = 0): Promise<Readonly<Record<string, string>>> {
  const { scopes } = (await client.scopesRequest({ frameId })).body;
  const reference = scopes.find(({ name }) => name === scope)?.variablesReference ?? 0;
  const list = (await client.variablesRequest({ variablesReference: reference })).body.variables;
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

async function say(expression: string, context = "repl", frameId = 0): Promise<string> {
  return (await client.evaluateRequest({ expression, context, frameId })).body.result;
}

async function breakAt(path: string, breakpoints: readonly object[]) {
  const given = { source: { path }, breakpoints: breakpoints as { line: number }[] };
  return (await client.setBreakpointsRequest(given)).body.breakpoints;
}

describe("a debug session over a recorded C run", () => {
  beforeAll(async () => {
    await start();
    await launch({ program: [tests, stack] });
    const event = client.waitForEvent("stopped");
    await client.configurationDoneRequest();
    await event;
  });
  afterEach(async () => {
    await breakAt(stack, []);
    await client.setDataBreakpointsRequest({ breakpoints: [] });
    await client.setFunctionBreakpointsRequest({ breakpoints: [] });
    await move("continue");
  });
  afterAll(() => client.stop());

  it("stands before the failure first, and the exception is the explanation", async () => {
    expect(stopped[0]).toMatchObject({ reason: "exception", text: "check failed: CHECK(value == 40)" });
    expect(await place()).toBe("test_holds_four_values:34");
    const { description, exceptionId } = (await client.exceptionInfoRequest({ threadId: 1 })).body;
    expect(exceptionId).toBe("check failed: CHECK(value == 40)");
    expect(description).toContain("if (s->size >= CAPACITY - 1)   3 >= 3 is true  <-- look here");
    expect(printed).toContain("why value is 30");
  });

  it("steps back over calls, and back into them by instruction", async () => {
    expect(await move("stepBack")).toBe("test_holds_four_values:33");
    expect(await move("next")).toBe("test_holds_four_values:34");
    expect(await move("stepBack", { granularity: "instruction" })).toBe("stack_pop:14");
    expect(await move("stepIn")).toBe("test_holds_four_values:34");
  });

  it("goes back from the failure to the first suspect", async () => {
    expect(await breakAt(stack, [{ line: 4 }])).toMatchObject([{ verified: true, line: 4 }]);
    expect(await move("reverseContinue")).toBe("stack_push:4");
    expect(stopped.at(-1)).toMatchObject({ reason: "breakpoint" });
    expect(await variables("Variables")).toEqual({ s: "&s", value: "40" });
    expect(await variables("This statement")).toMatchObject({ "reads s->size": "3" });
    expect(await move("stepIn")).toBe("stack_push:5");
    expect(await move("stepOut")).toBe("test_holds_four_values:31");
  });

  it("stops at conditions and counts in both directions", async () => {
    const [first] = await breakAt(stack, [{ line: 6, condition: "value == 20" }]);
    expect(await move("reverseContinue")).toBe("stack_push:6");
    expect(stopped.at(-1)?.hitBreakpointIds).toEqual([first?.id]);
    expect(await say("value", "watch")).toBe("20");
    expect(await say("s->size + 1", "watch")).toBe("2");
    await breakAt(stack, [{ line: 6, hitCondition: "1" }]);
    await move("reverseContinue");
    expect(await say("value", "hover")).not.toBe("20");
    await breakAt(stack, [{ line: 6, condition: "value == 30" }]);
    expect(await move("continue")).toBe("stack_push:6");
    expect(await say("value")).toBe("30");
  });

  it("says why a breakpoint cannot stop", async () => {
    const texts = await breakAt(stack, [
      { line: 400 },
      { line: 6, condition: "value =" },
      { line: 6, hitCondition: "x" },
    ]);
    expect(texts.map(({ verified }) => verified)).toEqual([false, false, false]);
    expect(texts[0]?.message).toBe("this run has no statement on this line or below it");
    expect(texts[1]?.message).toMatch(/cannot be read/);
    const [of] = (await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "nothing" }] })).body.breakpoints;
    expect(of).toMatchObject({ verified: false, message: "this run has no function nothing" });
  });

  it("prints log points, and stops at functions", async () => {
    await move("restartFrame", { frameId: 1 });
    await breakAt(stack, [{ line: 6, logMessage: "push {value} at {s->size}" }]);
    await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "test_holds_four_values" }] });
    expect(await move("continue")).toMatch(/^test_holds_four_values:/);
    expect(printed).toContain("push ");
    expect(await move("continue")).toBe("test_holds_four_values:34");
    expect(printed).toContain("push 30 at 2\n");
  });

  it("finds the previous write of a variable", async () => {
    const info = (await client.dataBreakpointInfoRequest({ name: "value", frameId: 0 })).body;
    expect(info).toMatchObject({ description: "value", accessTypes: ["write"] });
    const dataId = info.dataId ?? "";
    await client.setDataBreakpointsRequest({ breakpoints: [{ dataId }] });
    expect(await move("reverseContinue")).toBe("stack_pop:13");
    expect(stopped.at(-1)).toMatchObject({ reason: "data breakpoint", text: "value = 30 is written" });
    expect(await move("reverseContinue")).toBe("test_holds_four_values:30");
  });

  it("shows structs by their parts, with the values of the moment", async () => {
    const { scopes } = (await client.scopesRequest({ frameId: 0 })).body;
    const list = (await client.variablesRequest({ variablesReference: scopes[0]?.variablesReference ?? 0 })).body
      .variables;
    const s = list.find(({ name }) => name === "s");
    const parts = (await client.variablesRequest({ variablesReference: s?.variablesReference ?? 0 })).body.variables;
    expect(parts.map(({ name, value, evaluateName }) => [name, value, evaluateName])).toEqual([
      [".items", "4 parts", "s.items"],
      [".size", "2", "s.size"],
    ]);
    expect(await say("s.items[1]", "watch")).toBe("20");
  });

  it("answers why, why not and history in the console, and goes where it is told", async () => {
    expect(await say("why value")).toMatch(/^value = 30\ns\d+ .*stack\.c:13 in stack_pop/);
    expect(await say("why not stack.c:12")).toContain("was executed");
    expect(await say("why not 35")).toContain("has no statement");
    expect(await say("history s.size")).toMatch(/^s\.size was written 5 times\n/);
    expect(await say("suspects")).toMatch(/^s\d+ .*stack\.c:4: .*\(look here\)/);
    expect(await say("why nothing")).toContain("is not known here");
    expect(await say("help")).toContain("why not LINE");
    const step = /^s\d+/.exec(await say("suspects"))?.[0] ?? "";
    const event = client.waitForEvent("stopped");
    await say(`goto ${step}`);
    await event;
    expect(await place()).toBe("stack_push:4");
  });

  it("goes to a line, and completes names and commands", async () => {
    const { targets } = (await client.gotoTargetsRequest({ source: { path: stack }, line: 13 })).body;
    expect(await move("goto", { targetId: targets[0]?.id })).toBe("stack_pop:13");
    const labels = (await client.completionsRequest({ text: "s", column: 2, frameId: 0 })).body.targets;
    expect(labels.map(({ label }) => label)).toEqual(["suspects", "s"]);
  });

  it("answers what it does not know with a message", async () => {
    await expect(client.evaluateRequest({ expression: "nothing", context: "watch", frameId: 0 })).rejects.toThrow(
      /the value of nothing is not known here/,
    );
    await expect(client.customRequest("disassemble", {})).rejects.toThrow(/not supported/);
  });
});

describe("a debug session over a recorded test", () => {
  it("debugs a vitest test in both directions", async () => {
    const project = join(folder, "project");
    cpSync(join(root, "examples/vitest"), project, {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
    symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
    await start();
    await launch({ cwd: project, testCommand: "npx vitest run" });
    const event = client.waitForEvent("stopped");
    await client.configurationDoneRequest();
    await event;
    expect(stopped[0]?.reason).toBe("exception");
    // The failing statement has the call in it: its last statement is one step back.
    const failing = await place();
    expect(await move("stepBack", { granularity: "instruction" })).not.toBe(failing);
    expect(await move("continue")).toBe(failing);
    expect(await move("stepBack")).toBe(failing);
    expect(await move("next")).toBe(failing);
    const suspect = /^s\d+ (\S+):(\d+): /.exec(await say("suspects"));
    await breakAt(join(project, suspect?.[1] ?? ""), [{ line: Number(suspect?.[2]) }]);
    expect(await move("reverseContinue")).toMatch(new RegExp(`:${suspect?.[2]}$`));
    expect(Object.keys(await variables("This statement")).length).toBeGreaterThan(0);
    await client.stop();
  });
});

describe("a launch that fails", () => {
  const fails = async (settings: object, message: RegExp) => {
    await expect(client.customRequest("launch", settings)).rejects.toThrow(message);
  };

  it("says why, and the next one works", async () => {
    await start();
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    await fails({}, /either a program \(C files\) or a testCommand/);
    await fails({ program: "nowhere.c" }, /nowhere\.c/);
    await fails({ program: stack, options: { "no-such": 1 } }, /has no --no-such/);
    await fails({ program: write("broken.c", "int main(void) { return 0 }") }, /broken\.c:1:\d+: TF103/);
    await fails({ program: write("fine.c", "int main(void) { return 0; }") }, /does not fail/);
    await expect(client.stackTraceRequest({ threadId: 1 })).rejects.toThrow(/launch first/);
    await launch({
      program: write("exit.c", "int main(int c, char **v) { int x = c * 2; return x; }"),
      args: ["a"],
      stopOnEntry: true,
    });
    const event = client.waitForEvent("stopped");
    await client.configurationDoneRequest();
    await event;
    expect(stopped.at(-1)?.reason).toBe("entry");
    writeFileSync(join(folder, "exit.c"), readFileSync(join(folder, "exit.c"), "utf8").replace("c * 2", "c * 3"));
    const again = client.waitForEvent("stopped");
    await client.customRequest("restart", {});
    await again;
    expect(await say("x")).toBe("6");
    await client.stop();
  });
});

describe("a client that goes away", () => {
  it("leaves no process behind, even while tests run", async () => {
    const project = join(folder, "hanging");
    mkdirSync(join(project, "test"), { recursive: true });
    writeFileSync(join(project, "package.json"), '{ "type": "module", "scripts": { "test": "node --test" } }');
    const mark = join(project, "started");
    const text = `import { writeFileSync } from "node:fs";
import { test } from "node:test";
test("hangs", async () => {
  writeFileSync(${JSON.stringify(mark)}, String(process.pid));
  await new Promise(() => setInterval(() => {}, 1000));
});
`;
    writeFileSync(join(project, "test/hangs.test.js"), text);
    const server = spawn(process.execPath, [builtCli(), "dap"], { cwd: project, stdio: ["pipe", "ignore", "ignore"] });
    const ended = new Promise((resolve) => server.once("exit", resolve));
    const request = {
      seq: 1,
      type: "request",
      command: "launch",
      arguments: { testCommand: "npm test", cwd: project },
    };
    const json = JSON.stringify(request);
    server.stdin.write(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
    await expect.poll(() => existsSync(mark) && readFileSync(mark, "utf8") !== "", { timeout: 120_000 }).toBe(true);
    server.stdin.destroy();
    await ended;
    const pid = Number(readFileSync(mark, "utf8"));
    await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
  });
});
