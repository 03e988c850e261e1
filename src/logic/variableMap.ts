import type { Variable } from "./term.ts";

/** A persistent map from variables: `set` and `delete` take logarithmic time. Iterates in creation order. */
export type VariableMap<Value> = {
  readonly size: number;
  get(variable: Variable): Value | undefined;
  has(variable: Variable): boolean;
  set(variable: Variable, value: Value): VariableMap<Value>;
  delete(variable: Variable): VariableMap<Value>;
  keys(): Iterable<Variable>;
  values(): Iterable<Value>;
  /** The entries that `earlier` lacks or has with another value. Shared parts are skipped. */
  changesSince(earlier: VariableMap<Value>): readonly (readonly [Variable, Value])[];
  [Symbol.iterator](): Iterator<readonly [Variable, Value]>;
};

type Leaf<Value> = { readonly variable: Variable; readonly value: Value };
/** Sparse: bit `i` of `bits` tells whether digit `i` has a child; children are leaves on level 0. */
type Branch<Value> = { readonly bits: number; readonly children: readonly (Branch<Value> | Leaf<Value>)[] };

const digitBits = 5;
const digitMask = 31;
const empty: Branch<never> = { bits: 0, children: [] };

class Trie<Value> implements VariableMap<Value> {
  readonly size: number;
  readonly #root: Branch<Value>;
  /** Levels of branches: the root distinguishes the highest digit. */
  readonly #levels: number;

  constructor(size: number, root: Branch<Value>, levels: number) {
    this.size = size;
    this.#root = root;
    this.#levels = levels;
  }

  #leaf({ id }: Variable): Leaf<Value> | undefined {
    if (id >>> (digitBits * this.#levels) !== 0) return undefined;
    let node: Branch<Value> | Leaf<Value> | undefined = this.#root;
    for (let level = this.#levels - 1; level >= 0 && node !== undefined; level--) {
      node = childOf(node as Branch<Value>, digitOf(id, level));
    }
    return node as Leaf<Value> | undefined;
  }

  get(variable: Variable): Value | undefined {
    return this.#leaf(variable)?.value;
  }

  has(variable: Variable): boolean {
    return this.#leaf(variable) !== undefined;
  }

  set(variable: Variable, value: Value): VariableMap<Value> {
    const known = this.#leaf(variable);
    if (known !== undefined && known.value === value) return this;
    let [root, levels] = [this.#root, this.#levels];
    while (variable.id >>> (digitBits * levels) !== 0) {
      root = root.children.length === 0 ? root : { bits: 1, children: [root] };
      levels++;
    }
    const size = known === undefined ? this.size + 1 : this.size;
    return new Trie(size, withLeaf(root, levels - 1, { variable, value }), levels);
  }

  delete(variable: Variable): VariableMap<Value> {
    if (!this.has(variable)) return this;
    return new Trie(this.size - 1, withoutLeaf(this.#root, this.#levels - 1, variable.id), this.#levels);
  }

  *keys(): Iterable<Variable> {
    for (const { variable } of leavesOf(this.#root, this.#levels - 1)) yield variable;
  }

  *values(): Iterable<Value> {
    for (const { value } of leavesOf(this.#root, this.#levels - 1)) yield value;
  }

  *[Symbol.iterator](): Iterator<readonly [Variable, Value]> {
    for (const { variable, value } of leavesOf(this.#root, this.#levels - 1)) yield [variable, value];
  }

  changesSince(earlier: VariableMap<Value>): readonly (readonly [Variable, Value])[] {
    const changes: (readonly [Variable, Value])[] = [];
    const other = earlier as Trie<Value>;
    let before: Branch<Value> = other.#root;
    let now: Branch<Value> = this.#root;
    let level = this.#levels;
    // The lower map is the first child of an otherwise empty higher one.
    for (; level < other.#levels; level++) now = { bits: 1, children: [now] };
    for (let own = other.#levels; own < level; own++) before = { bits: 1, children: [before] };
    collectChanges(now, before, level - 1, changes);
    return changes;
  }
}

export function variableMap<Value>(entries: Iterable<readonly [Variable, Value]> = []): VariableMap<Value> {
  let map: VariableMap<Value> = new Trie<Value>(0, empty, 1);
  for (const [variable, value] of entries) map = map.set(variable, value);
  return map;
}

function digitOf(id: number, level: number): number {
  return (id >>> (digitBits * level)) & digitMask;
}

function indexOf(bits: number, digit: number): number {
  let below = bits & ((1 << digit) - 1);
  below -= (below >>> 1) & 0x55555555;
  below = (below & 0x33333333) + ((below >>> 2) & 0x33333333);
  return (((below + (below >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

function childOf<Value>({ bits, children }: Branch<Value>, digit: number): Branch<Value> | Leaf<Value> | undefined {
  return (bits >>> digit) & 1 ? children[indexOf(bits, digit)] : undefined;
}

function withLeaf<Value>(branch: Branch<Value>, level: number, leaf: Leaf<Value>): Branch<Value> {
  const digit = digitOf(leaf.variable.id, level);
  const { bits, children } = branch;
  const index = indexOf(bits, digit);
  const isThere = ((bits >>> digit) & 1) === 1;
  const inner = isThere ? (children[index] as Branch<Value>) : empty;
  const child = level === 0 ? leaf : withLeaf(inner, level - 1, leaf);
  const copy = children.slice();
  copy.splice(index, isThere ? 1 : 0, child);
  return { bits: bits | (1 << digit), children: copy };
}

function withoutLeaf<Value>(branch: Branch<Value>, level: number, id: number): Branch<Value> {
  const digit = digitOf(id, level);
  const { bits, children } = branch;
  const index = indexOf(bits, digit);
  const child = level === 0 ? null : withoutLeaf(children[index] as Branch<Value>, level - 1, id);
  const copy = children.slice();
  if (child === null || child.children.length === 0) {
    copy.splice(index, 1);
    return { bits: bits & ~(1 << digit), children: copy };
  }
  copy[index] = child;
  return { bits, children: copy };
}

function* leavesOf<Value>({ children }: Branch<Value>, level: number): Generator<Leaf<Value>> {
  if (level === 0) yield* children as readonly Leaf<Value>[];
  else for (const child of children) yield* leavesOf(child as Branch<Value>, level - 1);
}

function collectChanges<Value>(
  now: Branch<Value>,
  before: Branch<Value>,
  level: number,
  changes: (readonly [Variable, Value])[],
): void {
  if (now === before) return;
  for (let digit = 0; digit <= digitMask; digit++) {
    const [own, other] = [childOf(now, digit), childOf(before, digit)];
    if (own === undefined || own === other) continue;
    if (level > 0) collectChanges(own as Branch<Value>, (other as Branch<Value>) ?? empty, level - 1, changes);
    else {
      const { variable, value } = own as Leaf<Value>;
      if ((other as Leaf<Value> | undefined)?.value !== value) changes.push([variable, value]);
    }
  }
}
