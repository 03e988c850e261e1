// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the programs are code as text
import assert from "node:assert";
import { describe, expect, it, vi } from "vitest";
import { instrumentForTrace } from "../../../src/js/trace/instrument/instrument.ts";
import { questionOf } from "../../../src/js/trace/question.ts";
import { TraceRuntime } from "../../../src/js/trace/runtime.ts";
import { runtimeName } from "../../../src/js/trace/runtimeName.ts";
import { sliceEvents } from "../../../src/js/trace/slice.ts";

type Traced = {
  readonly message: string;
  readonly lines: readonly number[];
  readonly values: ReadonlyMap<number, string>;
  /** The lines of what else ran in the same calls. */
  readonly beside: readonly number[];
};

/** Runs a program, and gives the lines that led to its failure, nearest first. Lines are those of the program. */
async function trace(source: string, most = Number.POSITIVE_INFINITY): Promise<Traced> {
  const text = source.replace(/^\n/, "");
  const result = instrumentForTrace("program.js", text, "module", 0);
  if (result.kind === "unchanged") throw new Error(result.reason);
  const runtime = new TraceRuntime((site) => result.sites[site]?.name ?? null);
  runtime.mostExecutions = most;
  Object.defineProperty(globalThis, runtimeName, { value: runtime, configurable: true });
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  let error: unknown = null;
  try {
    await (AsyncFunction("expect", "assert", "vi", result.code)(expect, assert, vi) as unknown as Promise<void>);
  } catch (thrown) {
    error = thrown;
  }
  if (error === null) throw new Error("it does not fail");
  const question = questionOf(runtime, error);
  const slice = sliceEvents(runtime, question.starts);
  const lineOf = (site: number) => text.slice(0, result.sites[site]?.start ?? 0).split("\n").length;
  const executions = new Map(slice.executions.map((each) => [each.id, each]));
  const linesOf = (isBeside: boolean) => {
    const own = slice.events.filter(({ execution }) => (executions.get(execution)?.isBeside ?? false) === isBeside);
    return [...new Set(own.map(({ execution, site }) => lineOf(executions.get(execution)?.site ?? site)))];
  };
  const values = new Map(slice.events.toReversed().map(({ site, value }) => [lineOf(site), value ?? "skipped"]));
  return { message: question.message, lines: linesOf(false), values, beside: linesOf(true) };
}

it("tells what else ran in the calls of a short chain: something may be missing there", async () => {
  const { lines, beside } = await trace(`
const last = (list) => {
  let found = -1;
  let index = 0;
  for (const each of list) {
    index++;
  }
  return found;
};
expect(last([3, 4])).toBe(1);`);
  expect(lines).toEqual(expect.arrayContaining([2, 7]));
  expect(lines).not.toContain(5);
  expect(beside).toEqual([3, 4, 5]);
});

describe("the question", () => {
  it("is what the function returned if it threw nothing, not the error that was expected", async () => {
    const { lines } = await trace(`
const wrong = (text) => {
  return new RangeError(text + "!");
};
const parse = (text) => {
  if (text === "?") throw wrong(text);
  return [text];
};
expect(() => parse("*")).toThrow(wrong("*"));`);
    expect(lines).toEqual(expect.arrayContaining([5, 6]));
    expect(lines).not.toContain(2);
  });

  it("is the value that the program sent if a library got it back from outside", async () => {
    const program = (error: string) => `
const protocolOf = (secure) => {
  const name = secure ? "https" : "http";
  return name;
};
const sent = [];
sent.push(protocolOf(process.pid < 0));
await new Promise((_, reject) => setTimeout(() => reject(${error})));`;
    const byMessage = await trace(program("new Error(\"expected 'https' body, got 'http'\")"));
    expect(byMessage.lines).toEqual(expect.arrayContaining([2, 3]));
    const byValue = await trace(program(`Object.assign(new Error("wrong"), JSON.parse('{ "actual": "http" }'))`));
    expect(byValue.lines).toEqual(expect.arrayContaining([2, 3]));
  });

  it("is what was compared if the check is about a comparison", async () => {
    const head = async (check: string) => (await trace(`const add = (a, b) => a - b;\n${check};`)).message;
    expect(await head("assert(add(2, 1) === 3)")).toBe("received is 1, expected 3");
    expect(await head("assert.ok(3 == add(2, 1))")).toBe("received is 1, expected 3");
    expect(await head("expect(add(2, 1) > 2).toBe(true)")).toBe("received is 1, expected > 2");
    expect(await head("expect(2 < add(2, 1)).toBeTruthy()")).toBe("received is 1, expected > 2");
    expect(await head("assert(add(2, 1) === 3, 'the sum')")).toBe("the sum: received is 1, expected 3");
    expect(await head("assert(add(1, 1))")).toBe("received is 0, expected something true");
    expect(await head("expect(add(2, 1) === 1).toBe(false)")).toBe("received is true, expected false");
  });

  it("is what was written instead of a missing property", async () => {
    const program = (check: string) => `
const keyOf = (text) => {
  return text + "!";
};
const set = (object, text, value) => {
  object[keyOf(text)] = value;
};
const all = {};
set(all, "a", 1);
${check};`;
    for (const check of ["expect(all.a).toBe(1)", "all.a.b", "expect(all).toEqual({ a: 1 })"])
      expect((await trace(program(check))).lines).toEqual(expect.arrayContaining([2, 5]));
  });

  it("is the loop that goes on if the test does not end", async () => {
    const { lines, message } = await trace(
      `
const roman = (number) => {
  let i = 12;
  while (number) {
    const part = number * i;
    i -= 1;
  }
  return i;
};
roman(19);`,
      1000,
    );
    expect(message).toContain("the test does not end");
    expect(lines).toEqual(expect.arrayContaining([3, 4, 5]));
  });

  it("shows long texts from where they differ", async () => {
    const { message } = await trace(`
const text = "the same ".repeat(9);
expect(text + "end").toBe(text + "and");`);
    expect(message).toBe('received is "…me the same end", expected "…me the same and"');
  });
});

describe("the slice of a failure has the faulty line", () => {
  const cases: readonly {
    readonly name: string;
    readonly faulty: number;
    readonly most?: number;
    readonly source: string;
  }[] = [
    { name: "variables", faulty: 2, source: "let a = 1;\nlet b = a + 2;\nlet other = 9;\nexpect(b).toBe(4);" },
    { name: "a call", faulty: 2, source: "function f(x) {\n  const y = x * 3;\n  return y;\n}\nexpect(f(2)).toBe(4);" },
    {
      name: "a closure",
      faulty: 2,
      source:
        "function make(n) {\n  return () => { n = n + 2; return n; };\n}\nconst f = make(1);\nf();\nexpect(f()).toBe(3);",
    },
    {
      name: "a path of an object",
      faulty: 2,
      source:
        "const o = { a: 1 };\no.lines = [{ v: 5 }];\nconst unrelated = 3;\nexpect({ o, x: 1 }).toEqual({ o: { a: 1, lines: [{ v: 6 }] }, x: 1 });",
    },
    {
      name: "a branch",
      faulty: 3,
      source: "function f(x) {\n  let r = 0;\n  if (x > 5) r = 1;\n  return r;\n}\nexpect(f(5)).toBe(1);",
    },
    {
      name: "an early return that was not taken",
      faulty: 3,
      source:
        "function f(xs, y) {\n  for (const x of xs) {\n    if (x > y) return true;\n  }\n  return false;\n}\nexpect(f([1, 2], 2)).toBe(true);",
    },
    {
      name: "an omitted push",
      faulty: 3,
      source:
        "const out = [];\nfor (const x of [1, 2, 3]) {\n  const isBig =\n    x > 1;\n  if (isBig) out.push(x);\n}\nexpect(out).toEqual([1, 2, 3]);",
    },
    {
      name: "destructuring and defaults",
      faulty: 1,
      source: "function f({ a, b = 3 }) {\n  return a + b;\n}\nexpect(f({ a: 1 })).toBe(5);",
    },
    {
      name: "spread and rest",
      faulty: 2,
      source: "const f = (...xs) => xs.length;\nconst list = [1, 2];\nexpect(f(...list, 4)).toBe(4);",
    },
    {
      name: "a class with private fields",
      faulty: 4,
      source:
        "class A {\n  #n = 0;\n  add(x) {\n    this.#n += x + 1;\n    return this;\n  }\n  get n() { return this.#n; }\n}\nexpect(new A().add(2).n).toBe(2);",
    },
    {
      name: "super",
      faulty: 2,
      source:
        "class A {\n  constructor(x) { this.x = x + 1; }\n}\nclass B extends A {\n  constructor(y) { super(y * 2); }\n}\nexpect(new B(2).x).toBe(4);",
    },
    {
      name: "a getter",
      faulty: 2,
      source: "const o = {\n  get area() { return this.w + this.h; },\n  w: 2,\n  h: 3,\n};\nexpect(o.area).toBe(6);",
    },
    {
      name: "a generator",
      faulty: 2,
      source: "function* g(n) {\n  for (let i = 0; i <= n; i++) yield i;\n}\nexpect([...g(2)]).toEqual([0, 1]);",
    },
    {
      name: "an async function",
      faulty: 2,
      source:
        "async function f(x) {\n  const y = await Promise.resolve(x + 1);\n  return y;\n}\nconst v = await f(1);\nexpect(v).toBe(1);",
    },
    {
      name: "Promise.all",
      faulty: 1,
      source: "const f = async (x) => x * 2;\nconst vs = await Promise.all([1, 2].map(f));\nexpect(vs[1]).toBe(2);",
    },
    { name: "then", faulty: 1, source: "const p = Promise.resolve(3).then((x) => x - 1);\nexpect(await p).toBe(3);" },
    {
      name: "a promise of its own",
      faulty: 1,
      source: "const wait = (v) => new Promise((resolve) => resolve(v + 1));\nexpect(await wait(1)).toBe(1);",
    },
    {
      name: "a map",
      faulty: 3,
      source: 'const m = new Map();\nm.set("a", 1);\nm.set("b", 2);\nexpect(m.get("b")).toBe(3);',
    },
    {
      name: "an entry of a map",
      faulty: 2,
      source: 'const m = new Map();\nm.set("a", 1);\nm.set("b", 2);\nexpect(m).toEqual(new Map([["a", 7], ["b", 2]]));',
    },
    {
      name: "a date",
      faulty: 2,
      source:
        "const d = new Date(0);\nd.setUTCDate(d.getUTCDate() + 2);\nexpect(d.toISOString()).toBe('1970-01-02T00:00:00.000Z');",
    },
    { name: "a typed array", faulty: 2, source: "const t = new Uint8Array(2);\nt[1] = 256;\nexpect(t[1]).toBe(255);" },
    {
      name: "strings",
      faulty: 2,
      source: "function f(s) {\n  return s.slice(1).toUpperCase();\n}\nexpect(`${f('abc')}!`).toBe('ABC!');",
    },
    {
      name: "a regular expression",
      faulty: 1,
      source: "const r = /(\\d)/;\nconst m = r.exec('a12');\nexpect(m[1]).toBe('12');",
    },
    {
      name: "a proxy",
      faulty: 2,
      source: "const p = new Proxy({}, {\n  get: (t, k) => k.length,\n});\nexpect(p.abc).toBe(4);",
    },
    {
      name: "an optional chain",
      faulty: 1,
      source: "const o = { a: { b: null } };\nconst v = o?.a?.b?.c;\nexpect(v).toBe(1);",
    },
    {
      name: "a labelled loop",
      faulty: 4,
      source:
        "let n = 0;\nouter: for (let i = 0; i < 3; i++) {\n  for (let j = 0; j < 3; j++) {\n    if (j === 1) continue outer;\n    n += 1;\n  }\n}\nexpect(n).toBe(6);",
    },
    {
      name: "a switch",
      faulty: 3,
      source:
        "function f(k) {\n  switch (k) {\n    case 'a': return 1;\n    default: return 2;\n  }\n}\nexpect(f('a')).toBe(3);",
    },
    {
      name: "a caught error",
      faulty: 2,
      source:
        "function f() {\n  throw new Error('no');\n}\nlet r = 1;\ntry { f(); r = 2; } catch (e) { r = e.message; }\nexpect(r).toBe(2);",
    },
    {
      name: "a reduce",
      faulty: 1,
      source: "const sum = (xs) => xs.reduce((a, x) => a - x, 0);\nexpect(sum([1, 2])).toBe(3);",
    },
    {
      name: "map and filter",
      faulty: 2,
      source: "const xs = [1, 2, 3]\n  .map((x) => x * 3)\n  .filter((x) => x > 3);\nexpect(xs).toEqual([4, 6]);",
    },
    {
      name: "Object.entries",
      faulty: 1,
      source:
        "const o = { a: 1, b: 2 };\nconst out = {};\nfor (const [k, v] of Object.entries(o)) out[k] = v;\nexpect(out).toEqual({ a: 1, b: 3 });",
    },
    {
      name: "call and apply",
      faulty: 2,
      source: "function f(a, b) {\n  return this.k + a * b;\n}\nexpect(f.apply({ k: 1 }, [2, 3])).toBe(8);",
    },
    {
      name: "a conditional operator",
      faulty: 1,
      source: "const f = (x) => (x < 3 ? 'low' : 'high');\nexpect(f(3)).toBe('low');",
    },
    {
      name: "a rejected promise",
      faulty: 2,
      source:
        "async function f(x) {\n  if (x > 0) throw new Error('bad ' + x);\n}\nawait expect(f(1)).resolves.toBe(undefined);",
    },
    {
      name: "a thrown error",
      faulty: 2,
      source:
        "function f(o) {\n  const user = o.users[1];\n  return user.name;\n}\nexpect(f({ users: [{}] })).toBe('x');",
    },
    {
      name: "a missing method",
      faulty: 1,
      source: "const make = () => ({ start() {} });\nconst o = make();\no.stop();",
    },
    { name: "node:assert", faulty: 1, source: "const f = (x) => ({ v: x + 1 });\nassert.deepEqual(f(1), { v: 1 });" },
    {
      name: "calls of a mock",
      faulty: 2,
      source: "const m = vi.fn();\nfor (let i = 0; i < 3; i++) m(i);\nexpect(m).toHaveBeenCalledTimes(2);",
    },
    {
      name: "arguments of a mock",
      faulty: 2,
      source: "const m = vi.fn();\nconst f = (x) => m(x + 1);\nf(1);\nexpect(m).toHaveBeenCalledWith(1);",
    },
    {
      name: "a deleted property",
      faulty: 2,
      source: "const o = { a: 1, b: 2 };\ndelete o.a;\nexpect(o).toEqual({ a: 1, b: 2 });",
    },
    {
      name: "a loop bound",
      faulty: 3,
      source:
        "function f(xs) {\n  let s = 0;\n  for (let i = 1; i < xs.length; i++) s += xs[i];\n  return s;\n}\nexpect(f([1, 2])).toBe(3);",
    },
    {
      name: "a function without a return",
      faulty: 2,
      source: "function f(x) {\n  if (x > 3) return x;\n}\nexpect(f(3)).toBe(3);",
    },
  ];

  it.each(cases)("$name", async ({ source, faulty, most = 6 }) => {
    const { lines } = await trace(source);
    expect(lines.slice(0, most)).toContain(faulty);
  });

  it("leaves out what has nothing to do with it", async () => {
    const { lines } = await trace("let a = 1;\nlet b = 2;\nlet c = a + 1;\nexpect(c).toBe(3);");
    expect(lines).not.toContain(2);
  });
});

describe("the head of a failure", () => {
  const heads: readonly (readonly [string, string, string])[] = [
    [
      "toEqual",
      "expect({ lines: [{ amount: 5 }] }).toEqual({ lines: [{ amount: 50000 }] })",
      "received.lines[0].amount is 5, expected 50000",
    ],
    ["toMatchObject", "expect({ a: 1, b: { c: 2 } }).toMatchObject({ b: { c: 3 } })", "received.b.c is 2, expected 3"],
    ["toStrictEqual", "expect([1, 2]).toStrictEqual([1])", "received.length is 2, expected 1"],
    ["toBe", "expect(1 + 1).toBe(3)", "received is 2, expected 3"],
    ["a missing key", "expect({ a: 1 }).toEqual({ a: 1, b: 2 })", "received.b is absent, expected 2"],
    ["toBeCloseTo", "expect(0.5).toBeCloseTo(0.7)", "received is 0.5, expected 0.7"],
    ["toHaveLength", "expect([1]).toHaveLength(2)", "received.length is 1, expected 2"],
    ["deepEqual", "assert.deepEqual({ a: { b: 1 } }, { a: { b: 2 } })", "received.a.b is 1, expected 2"],
    ["equal", "assert.equal(1, 2)", "received is 1, expected 2"],
    [
      "asymmetric matchers",
      "expect({ a: 'x', b: 1 }).toEqual({ a: expect.any(String), b: 2 })",
      "received.b is 1, expected 2",
    ],
    ["a set", "expect(new Set([1])).toEqual(new Set([2]))", "received.get(2) is absent, expected 2"],
    ["a thrown error", "throw new RangeError('too big')", "RangeError: too big"],
  ];
  it.each(heads)("%s", async (_name, source, head) => {
    expect((await trace(source)).message).toBe(head);
  });

  it.each([
    ["const m = vi.fn(); m(1); m(2); expect(m).toHaveBeenCalledTimes(1)", "the mock was called 2 times, expected 1"],
    [
      "const m = vi.fn(); m('a', 2); expect(m).toHaveBeenCalledWith('b')",
      'the mock was called with ("a", 2), expected ("b")',
    ],
    ["expect(vi.fn()).toHaveBeenCalled()", "the mock was not called"],
  ])("%s", async (source, head) => {
    expect((await trace(source)).message).toBe(head);
  });

  it("says what toThrow got", async () => {
    const { message } = await trace("expect(() => { throw new Error('a') }).toThrow('b')");
    expect(message).toContain("'b'");
  });

  it("explains the error that toThrow got, not the expected one", async () => {
    const { lines } = await trace(
      `function fail(n) {
        const text = "at " + (n + 1);
        throw new RangeError(text);
      }
      expect(() => fail(5)).toThrow(new RangeError("at 5"))`,
    );
    expect(lines.slice(0, 2)).toContain(2);
  });
});

describe("the value of an event", () => {
  it("leaves out what was written into an object later", async () => {
    const { values } = await trace(`
const items = []
const box = { size: 1, items, name: "x" }
box.size = 2
items.push(7)
expect(box.size + items.length).toBe(4)`);
    expect(values.get(1)).toBe("[…]");
    expect(values.get(2)).toBe('{size: …, items: […], name: "x"}');
  });

  it("shows an object that nobody changed", async () => {
    const { values } = await trace(`
const box = { size: 1, items: [7] }
const other = box
expect(other.size).toBe(4)`);
    expect(values.get(2)).toBe("{size: 1, items: [7]}");
  });
});
