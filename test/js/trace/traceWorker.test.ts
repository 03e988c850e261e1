import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sitesPerFile, writeTracedFile } from "../../../src/js/trace/run.ts";
import type { TraceRuntime } from "../../../src/js/trace/runtime.ts";
import { runtimeName } from "../../../src/js/trace/runtimeName.ts";
import make from "../../../src/js/trace/traceWorker.ts";

it("reads the sites of a file once, however often their texts are asked for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-worker-"));
  await make({ folder, test: "t", isEndless: false, keepsAll: false });
  const runtime = Reflect.get(globalThis, runtimeName) as TraceRuntime;
  Reflect.deleteProperty(globalThis, runtimeName);
  const site = { kind: "call", name: "check", start: 0, end: 7 } as const;
  writeTracedFile(folder, { path: "/a.js", isTest: true, first: sitesPerFile, sites: [site], unfollowed: null });
  expect(runtime.textOf(sitesPerFile)).toBe("check");
  rmSync(folder, { recursive: true });
  expect(runtime.textOf(sitesPerFile)).toBe("check");
});
