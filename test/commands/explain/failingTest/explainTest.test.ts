import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../../../src/base/cancellation.ts";
import { present } from "../../../../src/base/checked.ts";
import {
  explanationOf,
  type RecordedTest,
  recordTest,
} from "../../../../src/commands/explain/failingTest/explainTest.ts";
import type { Explained } from "../../../../src/commands/explain/result.ts";
import { notJudged } from "../../../../src/js/changes/judgement.ts";
import type { TestOutcome } from "../../../../src/js/runners/runner.ts";
import { openSession, type RunnerSession } from "../../../../src/js/runners/session.ts";
import { explainText } from "../../../../src/render/explainText.ts";
import { plain } from "../../../../src/render/layout.ts";
import { digestOf, writeProject } from "../../../js/runners/fixture.ts";

const root = writeProject({
  "package.json": `{ "type": "module" }`,
  "vitest.config.ts": `
    import { defineConfig } from "vitest/config";
    export default defineConfig({ test: { testTimeout: 300 } });`,
  "src/rates.ts": `export const STANDARD = 19;
export const rates = new Map<string, number>([["book", 7]]);
rates.set("ink", STANDARD - 1);
`,
  "src/order.ts": `import { rates } from "./rates.ts";

export type Line = { readonly article: string; readonly amount: number };

export class Order {
  #lines: Line[] = [];
  constructor(private readonly notify: (line: Line) => void = () => {}) {}
  add(article: string, price: number, count = 1): this {
    const line = { article, amount: price + count };
    this.#lines.push(line);
    this.notify(line);
    return this;
  }
  get lines(): readonly Line[] {
    return this.#lines;
  }
  find(article: string): Line {
    const found = this.#lines.find((line) => line.article === article)!;
    return { ...found, amount: found.amount };
  }
  async tax(): Promise<number> {
    let sum = 0;
    for (const { article, amount } of this.#lines) {
      const rate = rates.get(article) ?? 0;
      sum += (amount * rate) / 100;
    }
    return sum;
  }
  pay(limit: number): string {
    if (this.#lines.length > limit) throw new RangeError("too many lines: " + this.#lines.length);
    return "paid";
  }
}

export const never = (): Promise<void> => new Promise(() => {});
export async function settle(): Promise<string> {
  await never();
  return "settled";
}
`,
  "order.test.ts": `import { expect, test, vi } from "vitest";
import { Order, settle } from "./src/order.ts";
import { rates } from "./src/rates.ts";

const order = () => new Order().add("book", 20).add("ink", 5, 2);
test("equal", () => {
  expect({ lines: order().lines }).toEqual({ lines: [{ article: "book", amount: 20 }, { article: "ink", amount: 10 }] });
});
test("async", async () => {
  expect(await order().tax()).toBeCloseTo(3.3);
});
test("load time", () => {
  expect(rates.get("ink")).toBe(19);
});
test("mock", () => {
  const notify = vi.fn();
  new Order(notify).add("book", 20);
  expect(notify).toHaveBeenCalledWith({ article: "book", amount: 20 });
});
test("thrown", () => {
  order().find("pen");
});
test("throws", () => {
  expect(() => order().pay(2)).toThrow("too many");
});
test("rejects", async () => {
  await expect(Promise.resolve().then(() => order().pay(1))).resolves.toBe("paid");
});
test("soft", () => {
  expect.soft(order().lines.length).toBe(3);
  expect.soft(1).toBe(1);
});
test("snapshot", () => {
  expect(order().lines[0]).toMatchInlineSnapshot(\`
    {
      "amount": 20,
      "article": "book",
    }
  \`);
});
test("time", async () => {
  await settle();
});
`,
});

const before = digestOf(root);
let session: RunnerSession;
let tests: readonly TestOutcome[];
const records = new Map<string, { readonly recorded: RecordedTest; readonly target: TestOutcome }>();
const explained = new Map<string, { readonly explanation: Explained; readonly screen: string }>();

function explain(recorded: RecordedTest, target: TestOutcome, judgement = notJudged) {
  const explanation = explanationOf(recorded, target, tests, judgement, { version: "1", ms: 1 });
  const texts = new Map([...recorded.sources.values()].map(({ path, text }) => [path, text]));
  const screen = explainText(explanation, { paint: plain, source: (path) => texts.get(path) ?? null });
  return { explanation, screen };
}

beforeAll(async () => {
  session = await openSession({ runner: "vitest", root, words: ["run"], cancellation: neverCancelled });
  const run = await session.run({});
  tests = run.tests;
  for (const target of tests.filter(({ state }) => state === "failed")) {
    const recorded = await recordTest(session, target, root, { run, files: [] });
    records.set(target.id.name, { recorded, target });
    explained.set(target.id.name, explain(recorded, target));
  }
}, 120_000);

afterAll(() => {
  session.close();
  rmSync(root, { recursive: true });
});

describe("explains a failing test in its own runtime", () => {
  it("leaves the project as it was, and fails where the test failed", () => {
    expect(digestOf(root)).toBe(before);
    expect([...explained.keys()].sort()).toEqual(
      ["async", "equal", "load time", "mock", "rejects", "snapshot", "soft", "throws", "thrown", "time"].sort(),
    );
  });

  it.each([
    ["equal", "received.lines[0].amount is 21, expected 20", "order.ts Order.add:9", "amount: price + count"],
    ["async", "received is 2.73, expected 3.3", "sum += (amount * rate) / 100", "sum = "],
    ["load time", "received is 18, expected 19", 'rates.set("ink", STANDARD - 1)', "STANDARD is 19"],
    ["mock", "expected", "this.notify(line)", "amount: price + count"],
    [
      "thrown",
      "TypeError: Cannot read properties of undefined (reading 'amount')",
      "found is undefined",
      "in Order.find",
    ],
    ["throws", "expected", "this.#lines.length > limit", "false"],
    ["rejects", "promise rejected", "throw new RangeError", "this.#lines.length > limit"],
    ["soft", "received is 2, expected 3", "this.#lines.push(line)", ""],
    ["snapshot", "Snapshot", "amount: price + count", ""],
    ["time", "still waiting", "await never()", ""],
  ])("%s", (name, ...parts) => {
    const screen = explained.get(name)?.screen ?? "";
    for (const part of parts) expect(screen).toContain(part);
  });

  it("names the file of a suspect that the chain does not reach", () => {
    const { recorded, target } = present(records.get("equal"));
    const file = present([...recorded.sources.keys()].find((path) => path.endsWith("rates.ts")));
    const change = {
      kind: "constantByOne",
      file,
      lines: [1],
      size: 2,
      edits: [{ start: 24, end: 26, text: "20" }],
    } as const;
    const verdict = { asked: 1, broken: [], repairs: null, stillFailing: [], isConfirmed: true };
    const lines = [{ file, line: 1, score: 1, changes: [{ change, ...verdict }] }];
    const { screen } = explain(recorded, target, { ...notJudged, lines });
    expect(screen).toMatch(/what if: rates\.ts:1 with/);
    expect(screen).toMatch(/also: +rates\.ts:1 export const/);
  });

  it("claims no proof", () => {
    for (const { explanation, screen } of explained.values()) {
      expect(explanation.graph.nodes.every(({ evidence }) => evidence === "observed")).toBe(true);
      expect(screen).not.toContain("proved");
    }
  });
});
