import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { PointerType } from "../../ir/type.ts";
import { makePointer } from "../../trace/memory/pointer.ts";
import { heapName } from "./heapName.ts";

const anyBlock: PointerType = { kind: "pointer", to: { kind: "void" } };

/** What solvers read keeps the names that it has. */
const notForReaders: ReadonlySet<string> = new Set(["term", "symbol", "c"]);

/** The logic numbers the blocks of a run (`heap26[0].id`); readers know them by where they come from (`(the 5th node)->id`). */
export function withBlockNames<T>(graph: DependenceGraph, told: T): T {
  const names = new Map<string, string | null>();
  const nameOf = (number: string): string | null => {
    let name = names.get(number);
    if (name === undefined) {
      name = heapName(graph, makePointer(Number(number), 0), anyBlock);
      names.set(number, name);
    }
    return name;
  };
  const inText = (text: string): string =>
    text.replaceAll(
      /\bheap(\d+)(?:\.\d+)?(\[0\]\.)?(?=(.?))/g,
      (all, number: string, first: string | undefined, next) => {
        const name = nameOf(number);
        if (name === null) return all;
        if (first !== undefined) return `(${name})->`;
        return next === ")" ? name : `(${name})`;
      },
    );
  const rename = (value: unknown): unknown => {
    if (typeof value === "string") return value.includes("heap") ? inText(value) : value;
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, notForReaders.has(key) ? each : rename(each)]),
    );
  };
  return rename(told) as T;
}
