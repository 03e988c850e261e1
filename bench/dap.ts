import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { builtCli } from "../test/support/builtCli.ts";
import { sumProgram } from "./page.ts";

/** Times of requests of the debug adapter over a run of a million steps, in milliseconds: `npm run bench -- dap`. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-bench-"));
  const path = join(folder, "sum.c");
  writeFileSync(path, sumProgram(111_000));
  const client = new DebugClient(builtCli(), "dap", "tracefold", { cwd: folder });
  client.defaultTimeout = 300_000;
  try {
    await client.start();
    await client.initializeRequest();
    const initialized = client.waitForEvent("initialized");
    const launched = performance.now();
    await client.customRequest("launch", { program: path });
    await initialized;
    console.log(`launch: ${Math.round(performance.now() - launched)} ms`);
    const event = client.waitForEvent("stopped");
    await client.configurationDoneRequest();
    await event;
    await measure(client, path);
  } finally {
    await client.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measure(client: DebugClient, path: string): Promise<void> {
  const source = { path };
  const times = new Map<string, number[]>();
  const timed = async (name: string, ask: () => Promise<unknown>) => {
    const start = performance.now();
    await ask();
    times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
  };
  const move = async (name: string, request: string, given: object = {}) => {
    const event = client.waitForEvent("stopped");
    await timed(name, () => client.customRequest(request, { threadId: 1, ...given }));
    await event;
    await timed("stack", () => client.stackTraceRequest({ threadId: 1 }));
    await timed("variables", async () => {
      const { scopes } = (await client.scopesRequest({ frameId: 0 })).body;
      for (const { variablesReference } of scopes) await client.variablesRequest({ variablesReference });
    });
  };
  const say = (name: string, expression: string) =>
    timed(name, () => client.evaluateRequest({ expression, context: "repl", frameId: 0 }));
  for (let i = 0; i < 7; i++) {
    for (const request of ["stepBack", "stepBack", "stepIn", "next", "stepOut"]) await move(request, request);
    await client.setBreakpointsRequest({ source, breakpoints: [{ line: 13, condition: `round == ${50_000 + i}` }] });
    await move("reverse continue to a condition", "reverseContinue");
    await say("evaluate", "cells[cell] + amount");
    await say("why", "why expected");
    await say("why not", "why not 22");
    await say("history", "history seed");
    const { dataId } = (await client.dataBreakpointInfoRequest({ name: "cells[3]", frameId: 0 })).body;
    await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: dataId ?? "" }] });
    await move("to the previous write", "reverseContinue");
    await client.setDataBreakpointsRequest({ breakpoints: [] });
    await client.setBreakpointsRequest({ source, breakpoints: [{ line: 11, hitCondition: `${60_000 + i}` }] });
    await move("continue to a count", "continue");
    await client.setBreakpointsRequest({ source, breakpoints: [] });
    await move("continue to the failure", "continue");
    await timed("exception", () => client.exceptionInfoRequest({ threadId: 1 }));
  }
  for (const [name, all] of times) {
    const sorted = all.sort((a, b) => a - b);
    const [median = 0, most = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
    console.log(
      `${name.padEnd(34)} median ${median.toFixed(0).padStart(4)} ms, most ${most.toFixed(0).padStart(4)} ms`,
    );
  }
}
