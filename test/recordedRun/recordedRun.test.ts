import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { edgeAt, stepCursor } from "../../src/interpreter/stepCursor.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";

/** The walk over blocks tells the same story as the cursor over steps. */

const text = `int calls; int f(int n) { calls++; int s = 0; for (int i = 0; i < n; i++) s += i; return n > 1 ? s + f(n - 1) : s; }
int main(void) { int t = 0; for (int k = 0; k < 40; k++) { for (int j = 0; j < 3; j++) t += f(j); while (t % 7) t++; } return t & 1; }`;

async function record(steps?: number) {
  const program = await loadCText("p.c", text, { preprocess: "builtin" });
  return recordTrace(program, steps === undefined ? {} : { maxSteps: steps });
}

describe("a recorded run", () => {
  it("has the steps of the cursor, with the frames that calls enter", async () => {
    const trace = await record();
    const { steps } = runOf(trace).between(0, trace.steps);
    expect(steps.length).toBe(trace.steps);
    const cursor = stepCursor(trace);
    let entered: number | undefined;
    for (const traced of steps) {
      expect(cursor.next()).toBe(true);
      expect(traced.step).toBe(cursor.step);
      expect(traced.edge).toBe(edgeAt(trace.program, cursor));
      if (entered !== undefined) expect(cursor.activation).toBe(entered);
      entered = traced.entered?.frame;
    }
  });

  it("has the same steps and frames in every stretch", async () => {
    const trace = await record();
    const whole = runOf(trace).between(0, trace.steps);
    for (const [from, to] of [
      [0, 1],
      [17, 18],
      [100, 180],
      [trace.steps - 3, trace.steps],
      [trace.steps, trace.steps + 1],
    ] as const) {
      const part = runOf(trace).between(from, to);
      expect(part.steps.map(({ edge }) => edge)).toEqual(whole.steps.slice(from, to).map(({ edge }) => edge));
      const stack = [...whole.stack];
      for (const { edge, entered } of whole.steps.slice(0, from)) {
        if (edge.operation.kind === "return") stack.pop();
        if (entered !== undefined) stack.push(entered);
      }
      expect(part.stack.map(({ frame }) => frame)).toEqual(stack.map(({ frame }) => frame));
      expect(part.stack.map(({ function: fn }) => fn.name)).toEqual(stack.map(({ function: fn }) => fn.name));
      expect(part.stack.map(({ call }) => call)).toEqual(stack.map(({ call }) => call));
    }
  });

  it("has the loop activations of the cursor", async () => {
    const trace = await record();
    const found = new Map<string, number[]>();
    const cursor = stepCursor(trace);
    while (cursor.next()) {
      const top = cursor.loops.at(-1);
      // The outermost activations: those of main's outer loop, which has everything else inside.
      if (top === undefined || cursor.loops.length > 1 || cursor.depth > 0) continue;
      if (edgeAt(trace.program, cursor).from !== top.loop.header) continue;
      const key = `${cursor.activation}:${top.number}`;
      found.set(key, [...(found.get(key) ?? []), cursor.step]);
    }
    const activations = runOf(trace).activations({ from: 0, to: trace.steps, isTransparent: () => false });
    expect(activations.map(({ visits }) => visits)).toEqual([...found.values()]);
    const inner = runOf(trace).activations({
      from: 0,
      to: trace.steps,
      isTransparent: (frame, loop) => frame === activations[0]!.frame && loop === activations[0]!.loop,
    });
    // For each k: three calls of f in the loop over j, and the loop with %.
    expect(inner.filter(({ function: fn }) => fn.name === "main").length).toBe(80);
  });
});
