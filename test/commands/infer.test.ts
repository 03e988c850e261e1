import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../src/base/cancellation.ts";
import { inferTests } from "../../src/commands/infer/pipeline.ts";
import { contractProperties, propertiesFile } from "../../src/commands/infer/properties.ts";
import type { InferReport, ReportedFunction } from "../../src/commands/infer/result.ts";
import { inferText } from "../../src/render/inferText.ts";
import { plain } from "../../src/render/layout.ts";
import { root } from "../support/builtCli.ts";
import { schemaErrors } from "../support/schema.ts";

const folder = join(root, "test/fixtures/infer/project");
let report: InferReport;

beforeAll(async () => {
  report = await inferTests({
    words: ["npx", "vitest", "run", "--reporter=dot"],
    folder,
    only: [],
    quota: 6,
    maxMegabytes: 64,
    output: 2,
    solver: {},
    version: "0",
    cancellation: neverCancelled,
    progress: () => {},
    recording: null,
    before: null,
  });
});

function contract(name: string): ReportedFunction {
  return report.functions.find((one) => one.name === name)!;
}

/** Everything that a contract says, a line each: `if G: E`. */
function lines(name: string): readonly string[] {
  const one = contract(name);
  return [
    ...one.throws.map(({ error, when }) => `throws ${error} if ${when.join(" && ")}`),
    ...one.pre.map(({ condition, origin }) => `requires ${condition} (${origin})`),
    ...one.post,
    ...one.cases.flatMap(({ guard, effects }) => effects.map((effect) => `if ${guard.join(" && ")}: ${effect}`)),
    ...(one.pure ? ["pure"] : [`modifies ${one.modifies.join(", ")}`]),
  ];
}

const invariants = (name: string): readonly string[] => {
  const one = report.classes.find((each) => each.name === name)!;
  return [...one.invariants, ...one.fields.map((field) => `${field.name}: ${field.seen}`)];
};

describe("the paper's examples", () => {
  it("gives contracts of testme, factorial, linear search and allInts", () => {
    expect(lines("testme")).toEqual([
      "requires x * y >= 0 (needed)",
      "if x < y: result === x * y * (x * y) - x * x * (x * x)",
      "if x >= y: result === x * y * (x * y) - y * y * (y * y)",
      "pure",
    ]);
    expect(lines("fac")).toEqual(["if i <= 1: result === 1", "if i > 1: result === i * fac(i - 1)", "pure"]);
    expect(lines("linSearch")).toEqual([
      "requires arr !== null (needed)",
      "if ele !== arr[$i]: result === -1",
      "if ele === arr[$i]: result === $i",
      "pure",
    ]);
    expect(contract("allInts").pre).toEqual([]);
  });
});

/** By number in `ideal.md`: of which contract, and the line that says it. */
const arrayStack: readonly (readonly [string, string])[] = [
  ["class", "items: Array"],
  ["class", "top_ >= -1"],
  ["class", "top_ < items.length"],
  ["class", "items[k] != null for k <= top_"],
  ["class", "items[k] == null for k > top_"],
  ["constructor", "requires capacity >= 0 (needed)"],
  ["constructor", "items.length === capacity"],
  ["constructor", "top_ === -1"],
  ["push", "requires !isFull() (needed)"],
  ["push", "top_ === old(top_) + 1"],
  ["push", "items[old(top_) + 1] === x"],
  ["push", "modifies top_, items[top_ + 1]"],
  ["top", "if !isEmpty(): result === items[top_]"],
  ["top", "if isEmpty(): result === null"],
  ["top", "pure"],
  ["topAndPop", "if !isEmpty(): result === old(items[top_])"],
  ["topAndPop", "if isEmpty(): result === null"],
  ["topAndPop", "if !isEmpty(): top_ === old(top_) - 1"],
  ["topAndPop", "modifies top_, items[top_]"],
  ["isEmpty", "result === (top_ === -1)"],
  ["isEmpty", "result === (top_ === -1)"],
  ["isEmpty", "pure"],
  ["isFull", "result === (top_ === items.length - 1)"],
  ["isFull", "result === (top_ === items.length - 1)"],
  ["isFull", "pure"],
  ["makeEmpty", "top_ === -1"],
  ["makeEmpty", "top_ === -1"],
];

describe("the array stack", () => {
  it("has at least 26 of the 27 ideal invariants", () => {
    const listed = readFileSync(join(folder, "../ideal.md"), "utf8").split("## RingQueue")[0]!;
    expect(listed.match(/^\| \d+ /gm)).toHaveLength(arrayStack.length);
    const missing = arrayStack.filter(
      ([of, line]) => !(of === "class" ? invariants("ArrayStack") : lines(`ArrayStack.${of}`)).includes(line),
    );
    expect(missing.length).toBeLessThanOrEqual(1);
  });

  it("uses at most 60 unique sub-expressions", () => {
    const methods = report.functions.filter((one) => one.className === "ArrayStack");
    const texts = [
      ...report.classes.find((one) => one.name === "ArrayStack")!.invariants,
      ...methods.flatMap((one) => [
        ...one.throws.flatMap(({ when }) => when),
        ...one.pre.map(({ condition }) => condition),
        ...one.post,
        ...one.cases.flatMap(({ guard, effects }) => [...guard, ...effects]),
        ...one.modifies,
      ]),
    ];
    const count = subexpressions(texts).size;
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThanOrEqual(60);
  });
});

/** Paper 002 §5.2: unique subtrees of what is printed. */
function subexpressions(texts: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const text of texts) {
    // Our own words around expressions: `x is new Array(n)`, `for k > top_`, `items[..] changes`.
    const pieces = text
      .replace(/ changes$/, "")
      .replace("[..]", "")
      .split(/ is | for /);
    for (const piece of pieces) {
      const { program } = parseSync("x.js", `(${piece})`, { preserveParens: false });
      const visit = (node: unknown): void => {
        if (Array.isArray(node)) for (const one of node) visit(one);
        else if (typeof node === "object" && node !== null) {
          const { type, start, end } = node as { type?: string; start: number; end: number };
          if (type !== undefined && type !== "Program" && type !== "ExpressionStatement")
            found.add(`(${piece})`.slice(start, end));
          for (const value of Object.values(node)) visit(value);
        }
      };
      visit(program);
    }
  }
  return found;
}

describe("other classes", () => {
  it("gives the contract of a ring queue", () => {
    expect(invariants("RingQueue")).toEqual(
      expect.arrayContaining(["head >= 0", "head < items.length", "count >= 0", "count <= items.length"]),
    );
    expect(lines("RingQueue.dequeue")).toContain("if count !== 0: head === (old(head) + 1) % items.length");
    expect(lines("RingQueue.constructor")).toContain("throws RangeError: capacity if capacity < 1");
  });

  it("marks values at entry in the contract of a counter map", () => {
    expect(lines("CounterMap.increment")).toContain("counts.get(key) === old(get(key)) + 1");
    expect(lines("CounterMap.constructor")).toContain("this.limit === limit");
    // The field's initialiser is outside of the constructor.
    expect(lines("CounterMap.constructor")).toContain("counts.size === 0");
  });

  it("does not state the effect of a heap's loop as known", () => {
    expect(lines("BinaryHeap.insert")).toContain("data.length === old(data.length) + 1");
    expect(contract("BinaryHeap.insert").cases.some((one) => one.partial)).toBe(true);
    expect(invariants("BinaryHeap")).toContain("data[(k - 1) >> 1] <= data[k] for k > 0");
    expect(lines("BinaryHeap.insert")).toContain("data.includes(x)");
  });
});

describe("callbacks and native code", () => {
  it("treats objects from callbacks as new, and objects from native code as old", () => {
    expect(lines("byGroup")).toEqual(["result is a new Object", "pure"]);
    expect(lines("heaviest").join()).not.toContain("new");
    expect(lines("heaviest")).toContain("if items.length === 0: result === null");
  });

  it("does not take a callback of native code for the called function", () => {
    expect(lines("shout")).toEqual(["pure"]);
    expect(lines("shout.<anonymous>")).toEqual(["result === part.toUpperCase()", "pure"]);
  });

  it("joins cases with equal outcomes, and states types once", () => {
    expect(lines("atLeast")).toEqual(["result is a new Array", "pure"]);
    expect(contract("atLeast").rounds).toBe(false);
  });

  it("keeps rounds of a callee's loop out of its caller", () => {
    expect(lines("doubleSteps").join()).not.toContain("$");
  });
});

describe("async functions", () => {
  it("have contracts about what the promise gives", () => {
    expect(contract("half")).toMatchObject({ async: true, exported: "half", evidence: { calls: 3 } });
    expect(lines("half")).toEqual(["throws RangeError: negative: -1 if x < 0", "result === x / 2", "pure"]);
  });

  it("take nothing for the state at entry that was read after an await", () => {
    // The field was false when the call began.
    const [first] = contract("Gate.enter").cases;
    expect(first).toEqual({ guard: ['name !== ""'], effects: ["result === name"], calls: 1, partial: true });
  });
});

describe("what a reader of the package can use", () => {
  it("knows every form of export", () => {
    const exported = (name: string) => contract(name).exported;
    expect(["ratio", "describeAll", "Gate.enter", "pick"].map(exported)).toEqual(["share", "default", "Gate", "pick"]);
  });

  it("has one line for each kind of error, and asks Number.isNaN", () => {
    expect(contract("pick").throws).toEqual([
      { error: "RangeError", when: ["(index < 0) || (index > 9)"], partial: false },
    ]);
    expect(lines("ratio")).toContain("if whole === 0: Number.isNaN(result)");
  });

  it("names no variable and no callback of the tests", () => {
    expect(lines("each")).toEqual(["modifies other objects"]);
    expect(JSON.stringify(report.functions)).not.toContain("OfTheTest");
    expect(report.functions.filter(({ file }) => file.includes("spec"))).toEqual([]);
  });

  it("shows three lines of a function, exported ones first, without callbacks; all with --all", () => {
    const text = inferText(report, plain);
    const all = inferText(report, plain, true);
    const linesOf = (printed: string) => printed.split("\n\n").map((block) => block.split("\n").length);
    expect(Math.max(...linesOf(text.slice(text.indexOf("paper.ts"))))).toBeLessThanOrEqual(5);
    expect(text.indexOf("describeAll(")).toBeLessThan(text.indexOf("\nsecret("));
    expect(text).not.toContain("<anonymous>");
    expect(all).toContain("shout.<anonymous>(part: string): string");
    expect(text).toMatch(/more lines?\n/);
    expect(all).not.toContain("more line");
  });
});

describe("the report", () => {
  it("follows the schema", () => {
    expect(schemaErrors("InferReport", report)).toEqual([]);
  });
});

describe("the documentation", () => {
  it.each(["README.md", "docs/infer.md"])("%s shows contracts as they are printed", (path) => {
    const block = /```text\n(class ArrayStack[\s\S]*?)```/.exec(readFileSync(join(root, path), "utf8"))![1]!;
    const printed = inferText(report, plain).split("\n");
    const shown = block.split("\n").filter((line) => line.trim() !== "" && line.trim() !== "...");
    expect(shown.length).toBeGreaterThan(7);
    for (const line of shown) expect(printed).toContain(line);
  });
});

describe("--properties", () => {
  it("has commands for classes, with checked requirements and asserted cases", () => {
    const target = { folder, path: join(folder, "contracts.spec.ts"), runner: "vitest" } as const;
    const text = propertiesFile(contractProperties(report), target);
    expect(text).toContain('import { ArrayStack } from "./arrayStack.js";');
    expect(text).toContain("check: (model: Untyped) => (!model.self.isFull()) &&");
    expect(text).toMatch(/const (before\d) = self\.top_;[\s\S]*holds\(self\.top_ === \1 \+ 1\);/);
    expect(parseSync("properties.ts", text).errors).toEqual([]);
  });

  it("is empty if no contract can be tested", () => {
    const inner = report.functions.map((one) => ({ ...one, exported: null }));
    expect(contractProperties({ ...report, functions: inner })).toEqual([]);
  });
});

describe("the replay", () => {
  it("loses no call, takes no wrong way, and prints no term that disagrees", () => {
    expect(report.recording).toMatchObject({ lost: 0, wrongDecisions: 0 });
    expect(report.recording.replayed).toBeGreaterThan(100);
    expect(report.functions.map((one) => one.withheld)).toEqual(report.functions.map(() => 0));
  });

  it("does not call a function pure that calls unrecorded code", () => {
    expect(contract("stamp")).toMatchObject({ pure: false, calls: ['Reflect.set(box, "mark", mark)'] });
  });

  it("prints nothing if terms grow too long to read", () => {
    expect(lines("double")).toEqual(["pure"]);
    expect(contract("double").cases).toMatchObject([{ effects: [], partial: true }]);
  });

  it("prints readable text", () => {
    const text = inferText(report, plain);
    expect(text).toContain("class ArrayStack  { items: Array, top_: int }\n  invariant  top_ < items.length\n");
    expect(text).toContain(
      "  push(x: int | string)\n    requires   !isFull()\n    ensures    top_ === old(top_) + 1\n",
    );
  });
});
