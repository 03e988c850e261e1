import { expect, it } from "vitest";
import { sourceFile } from "../../../../src/base/sourceFile.ts";
import { joinLoopHeads } from "../../../../src/commands/explain/failingTest/joinLoopHeads.ts";
import { tracePlaces } from "../../../../src/commands/explain/failingTest/traceGraph.ts";
import { instrumentForTrace } from "../../../../src/js/trace/instrument/instrument.ts";
import { TraceRuntime } from "../../../../src/js/trace/runtime.ts";
import { runtimeName } from "../../../../src/js/trace/runtimeName.ts";
import { sliceEvents } from "../../../../src/js/trace/slice.ts";

const text = `
const sum = (list) => {
  let all = 0;
  for (let i = 0; i < list.length; i++) {
    all += list[i];
  }
  return all;
};
sum([1, 2]).toFixed.call(null);`;

it("gives the first step and the updates of a loop to the test that follows", () => {
  const result = instrumentForTrace("sum.js", text, "module", 0);
  if (result.kind === "unchanged") throw new Error(result.reason);
  const runtime = new TraceRuntime((site) => result.sites[site]?.name ?? null);
  Object.defineProperty(globalThis, runtimeName, { value: runtime, configurable: true });
  expect(() => new Function(result.code)()).toThrow();
  const slice = sliceEvents(runtime, [[runtime.lastThrow?.record.event ?? 0, 0]]);
  const file = { path: "/sum.js", isTest: false, first: 0, sites: result.sites, unfollowed: null };
  const places = tracePlaces([file], new Map([["/sum.js", sourceFile("sum.js", text)]]));
  const sites = (events: typeof slice.events) => {
    const siteOf = new Map(slice.executions.map(({ id, site }) => [id, site]));
    return new Set(events.map(({ execution }) => places(siteOf.get(execution) ?? -1)?.text));
  };
  const [loop, update] = ["for (let i = 0; i < list.length; i++)", "i++"];
  expect([...sites(slice.events)]).toEqual(expect.arrayContaining([loop, update]));
  const joined = joinLoopHeads(slice, places);
  expect([...sites(joined.events)]).toContain(loop);
  expect([...sites(joined.events)]).not.toContain(update);
  const wrote = joined.events.filter(({ site }) => places(site)?.site.name === "i");
  const tested = new Set(
    joined.events.filter(({ site }) => places(site)?.site.kind === "loop").map(({ execution }) => execution),
  );
  expect(wrote.length).toBeGreaterThanOrEqual(2);
  for (const { execution } of wrote) expect(tested).toContain(execution);
});
