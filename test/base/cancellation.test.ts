import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import {
  addProcess,
  budgetOf,
  cancelledAfter,
  endProcesses,
  neverCancelled,
  removeProcess,
  sharedCancellation,
  throwIfCancelled,
  unlessCancelled,
} from "../../src/base/cancellation.ts";
import { Defect, TracefoldError } from "../../src/base/errors.ts";

describe("a cancellation", () => {
  it("is seen by everyone who shares its memory, and keeps its first reason", () => {
    const here = sharedCancellation();
    const there = sharedCancellation(here.buffer);
    expect([there.isCancelled(), there.reason]).toEqual([false, null]);
    here.cancel("timeout");
    here.cancel("interrupt");
    expect([there.isCancelled(), there.reason]).toEqual([true, "timeout"]);
  });

  it("comes when the time is up, or when the surrounding one comes", () => {
    expect(cancelledAfter(1e9).reason).toBe(null);
    expect(cancelledAfter(-1).reason).toBe("timeout");
    const outer = sharedCancellation();
    const inner = cancelledAfter(1e9, outer);
    outer.cancel("terminate");
    expect([inner.isCancelled(), inner.reason]).toEqual([true, "terminate"]);
  });

  it("comes when a count is used up", () => {
    const outer = sharedCancellation();
    const budget = budgetOf(3, outer);
    budget.spend();
    expect([budget.isCancelled(), budget.left()]).toEqual([false, 2]);
    budget.spend(2);
    expect([budget.isCancelled(), budget.reason]).toEqual([true, "budget"]);
    expect(outer.isCancelled()).toBe(false);
  });
});

describe("work without a partial result", () => {
  it("ends with an error that says what was going on", () => {
    expect(() => throwIfCancelled(neverCancelled, "loading")).not.toThrow();
    expect(() => throwIfCancelled(cancelledAfter(-1), "loading")).toThrow("the time limit was reached while loading");
    expect(() => throwIfCancelled(budgetOf(0), "loading")).toThrow("interrupted while loading");
  });

  it("still returns a finished result, and hides no other error", () => {
    const work = (cancellation = neverCancelled) => {
      throwIfCancelled(cancellation, "working");
      return "done";
    };
    expect(unlessCancelled(() => work(), null)).toBe("done");
    expect(unlessCancelled(() => work(cancelledAfter(-1)), null)).toBe(null);
    for (const error of [new Defect("ours"), new TracefoldError({ code: "TF341", message: "steps" })]) {
      const fail = () => {
        throw error;
      };
      expect(() => unlessCancelled(fail, null)).toThrow(error);
    }
  });
});

describe("processes that work for us", () => {
  it("are ended if they are still listed", async () => {
    const { processes } = sharedCancellation();
    const [listed, struck] = [spawn("sleep", ["100"]), spawn("sleep", ["100"])];
    for (const { pid } of [listed, struck]) addProcess(processes, pid);
    removeProcess(processes, struck.pid);
    endProcesses(processes!);
    expect(await once(listed, "exit")).toEqual([null, "SIGKILL"]);
    expect(struck.exitCode).toBe(null);
    struck.kill("SIGTERM");
    expect(await once(struck, "exit")).toEqual([null, "SIGTERM"]);
    // One that has ended by itself is no error.
    addProcess(processes, listed.pid);
    expect(() => endProcesses(processes!)).not.toThrow();
  });
});
