import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { instrumentForTrace } from "../../../src/js/trace/instrument/instrument.ts";
import { TraceRuntime } from "../../../src/js/trace/runtime.ts";
import { runtimeName } from "../../../src/js/trace/runtimeName.ts";
import { probes } from "../recorder/probes.ts";
import { moreProbes } from "./probes.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-trace-"));
const names = new Map<number, string>();
const runtime = new TraceRuntime((site) => names.get(site) ?? null);

beforeAll(() => {
  Object.defineProperty(globalThis, runtimeName, { value: runtime, configurable: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Mode = "sloppy" | "strict" | "module";
type Compiled = (out: (...values: unknown[]) => void) => unknown;

let files = 0;

async function compile(code: string, mode: Mode, traced: boolean): Promise<Compiled> {
  const head = mode === "module" ? "export default " : mode === "strict" ? '"use strict";return ' : "return ";
  const text = `${head}function probe(out) {${code}}`;
  const first = ++files * 10_000;
  const result = instrumentForTrace("probe.js", text, mode === "module" ? "module" : "commonjs", first);
  if (result.kind === "unchanged") throw new Error(result.reason);
  for (const [i, { name }] of result.sites.entries()) names.set(first + i, name);
  expect(result.code.split("\n")).toHaveLength(text.split("\n").length);
  const final = traced ? result.code : text;
  if (mode !== "module") return new Function(final)() as Compiled;
  const path = join(folder, `probe${files}.mjs`);
  writeFileSync(path, final);
  return ((await import(/* @vite-ignore */ pathToFileURL(path).href)) as { default: Compiled }).default;
}

async function outputOf(code: string, mode: Mode, traced: boolean): Promise<string> {
  const lines: string[] = [];
  const run = await compile(code, mode, traced);
  await run((...values) => {
    lines.push(inspect(values, { depth: 6 }));
  });
  return lines.join("\n").replaceAll(asyncIdentity, "");
}

/** Node numbers promises in a process where anything, such as another test, listens to asynchronous calls. */
const asyncIdentity = /\[Symbol\((?:trigger_)?async_id_symbol\)\]: \d+/g;

describe("a traced program does what it did", () => {
  const all = [...probes, ...moreProbes];
  it("has at least 100 probes", () => expect(all.length).toBeGreaterThanOrEqual(100));

  for (const mode of ["sloppy", "strict", "module"] as const)
    it.each(all.filter((probe) => mode === "sloppy" || probe.sloppyOnly !== true))(
      `${mode}: $name`,
      async ({ code }) => {
        const plain = await outputOf(code, mode, false);
        expect(plain).not.toBe("");
        expect(await outputOf(code, mode, true)).toBe(plain);
      },
    );

  it("makes objects and errors of the program's own realm", () => {
    const code = `const a = [1], o = { a }; let e; try { o.x.y } catch (c) { e = c } let f; try { o.z() } catch (c) { f = c }
      [a instanceof Array, o instanceof Object, e instanceof TypeError, f instanceof TypeError, e.message,
        'a b'.split(' ') instanceof Array, 'a'.constructor === String].join()`;
    const result = instrumentForTrace("realm.js", code, "commonjs", 1);
    if (result.kind === "unchanged") throw new Error(result.reason);
    const context = createContext({ [runtimeName]: new TraceRuntime(), out: null });
    const value = runInContext(result.code, context) as unknown;
    expect(value).toBe(runInContext(code, createContext({})));
  });
});
