import { mock } from "node:test";

/** Stands in for `node:test` while hooks of ours see the tests: it keeps them in a tree, which is then run. */

export type NodeTest = {
  readonly kind: "test";
  readonly name: string;
  readonly parent: NodeSuite;
  readonly callback: Callback;
  readonly isSkipped: boolean;
};
export type NodeSuite = {
  readonly kind: "suite";
  readonly name: string;
  readonly parent: NodeSuite | null;
  readonly children: (NodeTest | NodeSuite)[];
  readonly hooks: Readonly<Record<HookKind, Callback[]>>;
  readonly isSkipped: boolean;
};
export type HookKind = "before" | "beforeEach" | "afterEach" | "after";
export type Callback = (this: object, context?: object, done?: (error?: unknown) => void) => unknown;
type Options = { readonly skip?: unknown; readonly todo?: unknown };
type Words = [name?: string | Options | Callback, options?: Options | Callback, callback?: Callback];

function newSuite(name: string, parent: NodeSuite | null, isSkipped: boolean): NodeSuite {
  const hooks = { before: [], beforeEach: [], afterEach: [], after: [] };
  return { kind: "suite", name, parent, children: [], hooks, isSkipped };
}

type Tree = { readonly root: NodeSuite; current: NodeSuite; readonly pending: Promise<unknown>[] };
const key = Symbol.for("tracefold node:test tree");

export function treeOfTests(): Tree {
  const known = Reflect.get(globalThis, key) as Tree | undefined;
  if (known !== undefined) return known;
  const root = newSuite("", null, false);
  const tree: Tree = { root, current: root, pending: [] };
  Reflect.set(globalThis, key, tree);
  return tree;
}

function read(words: Words): { readonly name: string; readonly options: Options; readonly callback: Callback } {
  const callback = words.find((word) => typeof word === "function") ?? (() => {});
  const options = words.find((word) => typeof word === "object" && word !== null) as Options | undefined;
  const name = typeof words[0] === "string" ? words[0] : callback.name;
  return { name: name === "" ? "<anonymous>" : name, options: options ?? {}, callback };
}

function addTest(words: Words, isSkipped: boolean): Promise<void> {
  const { current } = treeOfTests();
  const { name, options, callback } = read(words);
  const skips = isSkipped || Boolean(options.skip) || Boolean(options.todo);
  current.children.push({ kind: "test", name, parent: current, callback, isSkipped: skips });
  return Promise.resolve();
}

function addSuite(words: Words, isSkipped: boolean): Promise<void> {
  const tree = treeOfTests();
  const { name, options, callback } = read(words);
  const suite = newSuite(name, tree.current, isSkipped || Boolean(options.skip) || Boolean(options.todo));
  tree.current.children.push(suite);
  const outer = tree.current;
  tree.current = suite;
  const result = callback.call({}, { name });
  tree.current = outer;
  if (result instanceof Promise) tree.pending.push(result);
  return Promise.resolve();
}

const addHook = (kind: HookKind) => (callback: Callback) => {
  treeOfTests().current.hooks[kind].push(callback);
};

type Add = (words: Words, isSkipped: boolean) => Promise<void>;
function withForms(add: Add) {
  const plain = (...words: Words) => add(words, false);
  const skip = (...words: Words) => add(words, true);
  return Object.assign(plain, { skip, todo: skip, only: plain });
}

export const it = withForms(addTest);
export const describe = withForms(addSuite);
export const suite = describe;
export const before = addHook("before");
export const beforeEach = addHook("beforeEach");
export const afterEach = addHook("afterEach");
export const after = addHook("after");
export const test = Object.assign(withForms(addTest), {
  ...{ it, describe, suite, before, beforeEach, afterEach, after },
  mock,
});
export { mock };
export default Object.assign(test, { test });
