import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  addProcess,
  cancelledAfterTurn,
  divided,
  neverCancelled,
  sharedCancellation,
  workClock,
} from "../../src/base/cancellation.ts";

const sleep = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
const isLinux = process.platform === "linux";

describe("a turn that is measured in work", () => {
  it.runIf(isLinux)("goes on while nothing is done, and ends after work", () => {
    const { own } = divided(neverCancelled);
    const turn = cancelledAfterTurn(1_000, workClock(own.processes), neverCancelled);
    // Garbage collection goes on beside; it takes a part of that.
    sleep(1_500);
    expect(turn.isCancelled()).toBe(false);
    let rounds = 0;
    while (!turn.isCancelled()) rounds++;
    expect([rounds > 0, turn.reason]).toEqual([true, "budget"]);
  });

  it.runIf(isLinux)("counts the work of its own processes, also when they have ended, and no work beside", async () => {
    const { own, beside } = divided(neverCancelled);
    const clock = workClock(own.processes);
    const busy = () => spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" });
    const [mine, other] = [busy(), busy()];
    try {
      addProcess(beside.processes, other.pid);
      const before = clock.now();
      sleep(1_500);
      expect(clock.now() - before).toBeLessThan(1_000);
      addProcess(own.processes, mine.pid);
      const turn = cancelledAfterTurn(100, clock, neverCancelled);
      while (!turn.isCancelled()) sleep(20);
      const ended = new Promise((resolve) => mine.once("exit", resolve));
      mine.kill("SIGKILL");
      await ended;
      expect(turn.isCancelled()).toBe(true);
    } finally {
      mine.kill("SIGKILL");
      other.kill("SIGKILL");
    }
  });

  it("is a time on the wall where the work is done in other threads", () => {
    const turn = cancelledAfterTurn(30, workClock(null), neverCancelled);
    sleep(60);
    expect(turn.isCancelled()).toBe(true);
  });

  it("ends the processes of both kinds together", () => {
    const shared = sharedCancellation();
    const { own, beside } = divided(shared);
    addProcess(own.processes, 11);
    addProcess(beside.processes, 22);
    expect([...shared.processes!].filter((pid) => pid !== 0)).toEqual([11, 22]);
    shared.cancel("timeout");
    expect([own.isCancelled(), beside.reason]).toEqual([true, "timeout"]);
  });
});
