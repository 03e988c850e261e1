import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { present } from "../../../src/base/checked.ts";
import { judgeChanges } from "../../../src/js/changes/judgeChanges.ts";
import type { JsJudgement } from "../../../src/js/changes/judgement.ts";
import { type Survey, surveyTests } from "../../../src/js/changes/surveyTests.ts";
import { openSession, type RunnerSession } from "../../../src/js/runners/session.ts";
import { digestOf, writeProject } from "../runners/fixture.ts";

const root = writeProject({
  "package.json": `{ "type": "module" }`,
  "src/prices.ts": `import { writeFileSync } from "node:fs";
export type Line = { readonly price: number; readonly count: number };

export function total(lines: readonly Line[]): number {
  let sum = 0;
  for (let i = 0; i < lines.length - 1; i++) {
    const { price, count } = lines[i]!;
    sum += price * count;
  }
  return sum;
}

export function average(lines: readonly Line[]): number {
  return lines.length === 0 ? 0 : total(lines) / lines.length;
}

export const rates = { low: 7, high: 18 };

export function tax(price: number, rate: keyof typeof rates): number {
  return (price * rates[rate]) / 100;
}

export function save(lines: readonly Line[], path: string): void {
  writeFileSync(path, String(total(lines)));
}

export function store(value: number): number {
  if (value > 100) writeFileSync("large", String(value));
  return value - 1;
}

export async function until(value: () => number): Promise<number> {
  while (value() < 3) await null;
  return value() + 1;
}`,
  "test/prices.test.ts": `
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { average, save, store, tax, total, until } from "../src/prices.ts";
describe("prices", () => {
  it("adds", () => expect(total([{ price: 2, count: 3 }, { price: 5, count: 1 }])).toBe(11));
  it("of nothing", () => expect(total([])).toBe(0));
  it("averages nothing", () => expect(average([])).toBe(0));
  it("taxes", () => expect(tax(200, "high")).toBe(38));
  it("taxes less", () => expect(tax(200, "low")).toBe(14));
  it("stores", () => expect(store(5)).toBe(5));
  it("saves", () => {
    save([{ price: 2, count: 3 }], process.env.TMPDIR + "/saved");
    expect(readFileSync(process.env.TMPDIR + "/saved", "utf8")).toBe("6");
  });
  it("waits", async () => {
    let calls = 0;
    expect(await until(() => ++calls)).toBe(4);
  });
});`,
  "test/other.test.ts": `
import { expect, it } from "vitest";
import { average } from "../src/prices.ts";
it("averages one", () => expect(average([{ price: 2, count: 3 }])).toBe(6));`,
});

describe("changes in the real program", () => {
  let session: RunnerSession;
  let survey: Survey;
  const source = join(root, "src/prices.ts");
  const before = digestOf(root);

  beforeAll(async () => {
    session = await openSession({ runner: "vitest", root, words: ["run"], cancellation: neverCancelled });
    survey = await surveyTests(session, null);
  });

  afterAll(() => {
    session.close();
    expect(digestOf(root)).toBe(before);
    rmSync(root, { recursive: true });
  });

  const judge = (name: string): Promise<JsJudgement> => {
    const target = present(survey.run.tests.find(({ id }) => id.name === name));
    return judgeChanges({ session, target, survey, budget: 3000, confirm: 3 });
  };
  const textsOf = (judgement: JsJudgement, line: number) =>
    judgement.lines
      .filter((each) => each.file === source && each.line === line)
      .flatMap(({ changes }) => changes.flatMap(({ change }) => change.edits.map(({ text }) => text.trim())));

  it("are tried where the failing test goes, and judged by the other tests", async () => {
    const judgement = await judge("prices > adds");
    expect(judgement).toMatchObject({ complete: true, notice: null });
    expect(judgement.reruns).toBeGreaterThan(50);
    expect(judgement.lines[0]).toMatchObject({ file: source, line: 6 });
    expect(textsOf(judgement, 6)).toContain("lines.length");
    expect(judgement.lines[0]?.changes[0]).toMatchObject({ isConfirmed: true, broken: [] });
    // Three tests of both files passed without the change, two more pass with it; three others fail as before.
    expect(judgement.lines[0]?.changes[0]?.asked).toBe(5);
    expect(judgement.lines[0]?.changes[0]?.stillFailing).toEqual([
      "prices > taxes",
      "prices > stores",
      "prices > waits",
    ]);
    expect(judgement.lines.every(({ line }) => line >= 4 && line <= 11)).toBe(true);
  });

  it("reach values that are computed while modules are loaded", async () => {
    const judgement = await judge("prices > taxes");
    expect(textsOf(judgement, 17)).toContain("19");
    expect(judgement.lines.flatMap(({ changes }) => changes.filter((each) => each.isConfirmed)).length).toBeGreaterThan(
      0,
    );
  });

  it("are not tried in place if the test writes files", async () => {
    const judgement = await judge("prices > saves");
    expect(judgement.notice).toBe("the test writes files, so it is not run again in place");
  });

  it("do not write what the program does not write", async () => {
    const judgement = await judge("prices > stores");
    expect(judgement.notice).toBeNull();
    expect(judgement.lines[0]).toMatchObject({ file: source });
    expect(readdirSync(root)).not.toContain("large");
  });

  it("that hang are left behind", async () => {
    const judgement = await judge("prices > waits");
    expect(judgement.lines.map(({ line }) => line).sort()).toEqual([33, 34]);
  });
});
