import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { orderOf, suspicionOf } from "../../../src/js/changes/suspicion.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-suspicion-"));
const path = join(folder, "prices.js");
const text = `const rate = 2;
function both(n) {
  return n * rate;
}
function failing(n) {
  return n + 1;
}
function never() {
  return 0;
}
`;
writeFileSync(path, text);
afterAll(() => rmSync(folder, { recursive: true }));

const [both, failing] = [text.indexOf("function both"), text.indexOf("function failing")];
const file = join(folder, "prices.test.js");
const test = (name: string, state: string) => ({ id: { file, name }, state });
const suspicion = suspicionOf({
  run: { tests: [test("a", "failed"), test("b", "passed"), test("c", "passed"), test("d", "passed")] },
  files: [
    {
      file,
      load: { [path]: [] },
      tests: [
        { name: "a", functions: { [path]: [both, failing] } },
        { name: "b", functions: { [path]: [both] } },
        { name: "c", functions: {} },
        { name: "d", functions: {} },
      ],
    },
  ],
});

describe("the suspicion of a line", () => {
  it("is higher the fewer passing tests enter its function", () => {
    expect(suspicion(path, 6)).toBe(1);
    expect(suspicion(path, 3)).toBeCloseTo(Math.SQRT1_2);
    expect(suspicion(path, 1)).toBe(0.5);
  });

  it("is small where no test was seen", () => {
    expect(suspicion(path, 9)).toBe(0.05);
    expect(suspicion(join(folder, "other.js"), 1)).toBe(0.05);
  });

  it("outweighs a somewhat larger distance, but not any", () => {
    expect(orderOf(1, 20)).toBeLessThan(orderOf(0.5, 0));
    expect(orderOf(1, 100)).toBeGreaterThan(orderOf(0.5, 0));
  });
});
