import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { instrument } from "../../../src/js/recorder/instrument.ts";
import { createLogWriter } from "../../../src/js/recorder/logWriter.ts";
import { type LoggedCall, readCalls, readLog } from "../../../src/js/recorder/readLog.ts";
import { createRecorder } from "../../../src/js/recorder/runtime.ts";
import { probes } from "./probes.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-probes-"));
const logPath = join(folder, "log.tflog");
const recorder = createRecorder(createLogWriter(logPath, 1 << 28), 0);

beforeAll(() => {
  for (const [name, value] of Object.entries(recorder.wrappers))
    Object.defineProperty(globalThis, name, { value, configurable: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Mode = "sloppy" | "strict" | "module";
type Compiled = (out: (...values: unknown[]) => void) => unknown;

let files = 0;

async function compile(code: string, mode: Mode, recorded: boolean): Promise<Compiled> {
  const head = mode === "module" ? "export default " : mode === "strict" ? '"use strict";return ' : "return ";
  const text = `${head}function probe(out) {${code}}`;
  const kind = mode === "module" ? "module" : "commonjs";
  const result = instrument("probe.js", text, kind, ++files);
  const final = recorded && result.kind === "instrumented" ? result.text.toString() : text;
  if (result.kind === "skipped") throw new Error(result.reason);
  if (mode !== "module") return new Function(final)() as Compiled;
  const path = join(folder, `probe${files}.mjs`);
  writeFileSync(path, final);
  return ((await import(/* @vite-ignore */ pathToFileURL(path).href)) as { default: Compiled }).default;
}

async function outputOf(code: string, mode: Mode, recorded: boolean): Promise<string> {
  const lines: string[] = [];
  const run = await compile(code, mode, recorded);
  await run((...values) => {
    lines.push(inspect(values, { depth: 6 }));
  });
  return lines.join("\n");
}

describe("instrumented code does what it did", () => {
  it("has at least 60 probes", () => expect(probes.length).toBeGreaterThanOrEqual(60));

  for (const mode of ["sloppy", "strict", "module"] as const)
    it.each(probes.filter((probe) => mode === "sloppy" || probe.sloppyOnly !== true))(
      `${mode}: $name`,
      async ({ code }) => {
        const plain = await outputOf(code, mode, false);
        expect(plain).not.toBe("");
        expect(await outputOf(code, mode, true)).toBe(plain);
      },
    );

  it("has a log of calls that ended", () => {
    recorder.flush();
    const log = readLog(logPath);
    const calls: LoggedCall[] = [...readCalls(log.events)];
    expect(log.cutOff).toBe(0);
    expect(calls.length).toBeGreaterThan(1000);
    expect(calls.filter((call) => call.outcome.kind === "pending")).toEqual([]);
    const roots = calls.filter((call) => call.parent === null && !call.waited);
    expect(roots.length).toBeGreaterThanOrEqual(probes.length);
  });
});
