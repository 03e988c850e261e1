import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../src/changes/change.ts";
import { proposeChanges, readSites } from "../../../src/js/changes/proposeChanges.ts";
import { compileSwitches } from "../../../src/js/changes/switches.ts";

const source = `
const limit = 10
function clamp(values, low = 0) {
  let sum = 0
  const kept = []
  outer: for (const [i, value] of values.entries()) {
    for (let j = i; j < values.length; j++) if (values[j] === null) continue outer
    if (value > limit && sum >= low) continue
    else if (!kept.includes(value)) kept.push(value * 2 - 1)
    sum += value ?? 1
  }
  (function () { "use strict"; sum-- })()
  return { sum, text: \`\${kept.map((each) => each % 7).sort()}\`, first: kept?.[0]?.toFixed(1), odd: sum % 2 ? "odd" : 'even' }
}
class Counter {
  #count = 1;
  get next() { return ++this.#count; }
}
`;
const run = "return JSON.stringify([clamp([3, 12, 5, 3]), clamp([], 2), new Counter().next]);";

/** The result of a source, or the name of the error that it throws; "endless" if it does not end. */
function resultOf(text: string, on: number): string {
  let steps = 0;
  const step = (): void => {
    if (++steps > 2000) throw new Error("endless");
  };
  const at = (from: number, to: number) => on >= from && on <= to;
  try {
    return new Function("tf$", "tf$at", "tf$step", text + run)({ on }, at, step);
  } catch (error) {
    return (error as Error).message === "endless" ? "endless" : (error as Error).name;
  }
}

describe("sites", () => {
  it("are found in TypeScript with overloads, namespaces, enums and decorators", () => {
    const text = `
export function f(): "";
export function f<T extends string>(x?: T): string { return <string>(x as unknown)!; }
export default interface A { b(): void }
declare module "x" { export const y: number }
export abstract class C<T> { declare z: T; abstract m(): void; constructor(readonly q: number) {} static { f(); } }
export enum E { a = 1, b = f.length }
namespace N { export const n = 1 }
const s = { a: 1 } satisfies object, t = f<"x">;
`;
    const read = readSites({ path: "/a.ts", text });
    expect(read?.sites.functions.map(({ start }) => text.slice(start, start + 10))).toContain("function f");
  });
});

describe("switches", () => {
  const file = readSites({ path: "/a.js", text: source });
  if (file === null) throw new Error("the source does not parse");
  const functions = new Set(file.sites.functions.map(({ start }) => start));
  const proposals = proposeChanges(file, functions);
  const compiled = compileSwitches(file, proposals, 1);
  const loops = compileSwitches(file, [], 1);

  it("leave a source as it is while all are off", () => {
    expect(compiled.switches.length).toBeGreaterThan(400);
    expect(resultOf(compiled.text, 0)).toBe(resultOf(source, 0));
    expect(resultOf(source, 0)).toContain("sum");
  });

  it("do what the changed text does", () => {
    const different = compiled.switches.flatMap(({ number, proposal: { change } }) => {
      const text = applyEdits(source, change.edits);
      const changed = readSites({ path: "/a.js", text });
      const fresh = changed === null ? "no program" : resultOf(compileSwitches(changed, [], 1).text, 0);
      const switched = resultOf(compiled.text, number);
      return fresh === switched ? [] : [{ kind: change.kind, edits: change.edits, switched, fresh }];
    });
    expect(different).toEqual([]);
    expect(loops.switches).toEqual([]);
  });

  it("have super only where it is allowed", () => {
    const path = "super.js";
    const text =
      "class A { f(a) { return a; } }\nclass B extends A { constructor(a) { super(a); } f(a) { return super.f(a) + super.f(a, 2); } }\nfunction g(a, b) { if (a) return f(a); return b; }\n";
    const file = readSites({ path, text });
    if (file === null) throw new Error("it does not parse");
    const { text: now, switches } = compileSwitches(
      file,
      proposeChanges(file, new Set(file.sites.functions.map(({ start }) => start))),
      1,
    );
    expect(switches.length).toBeGreaterThan(0);
    expect(() => new Function(now)).not.toThrow();
  });

  it("are only where they are asked for", () => {
    const counter = file.sites.functions.findLast(({ node }) =>
      source.slice(node.start, node.end).includes("return ++this"),
    );
    const some = proposeChanges(file, new Set([counter?.start ?? -1]));
    expect(new Set(some.flatMap(({ change }) => change.lines))).toEqual(new Set([17]));
  });
});
