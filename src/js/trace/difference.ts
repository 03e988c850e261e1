import { types } from "node:util";
import { isObject } from "./objects.ts";

/** Keys that lead from a received value to the part that differs. Entries of maps and sets have keys of any kind. */
export type DifferencePath = readonly DifferenceStep[];
export type DifferenceStep =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "entry"; readonly key: unknown };

export type ValueDifference = {
  readonly path: DifferencePath;
  readonly received: Part;
  readonly expected: Part;
};

/** `isAbsent`: the key is not there at all. */
type Part = { readonly value: unknown; readonly isAbsent: boolean };

export type DifferenceOptions = {
  /** `toMatchObject`: further properties are allowed. */
  readonly isPartial: boolean;
  /** `toBe`: objects must be the same. */
  readonly isSame: boolean;
};

const deepest = 12;

/** The first part of a received value that differs from the expected one; null if there is none. */
export function firstDifference(
  received: unknown,
  expected: unknown,
  { isPartial, isSame }: DifferenceOptions,
): ValueDifference | null {
  const seen = new Set<object>();
  const compare = (a: unknown, b: unknown, path: DifferencePath): ValueDifference | null => {
    if (Object.is(a, b) || (path.length > 0 && a === b)) return null;
    const here = { path, received: { value: a, isAbsent: false }, expected: { value: b, isAbsent: false } };
    if (isSame) return here;
    if (isObject(b) && typeof (b as { asymmetricMatch?: unknown }).asymmetricMatch === "function")
      return (b as { asymmetricMatch(value: unknown): boolean }).asymmetricMatch(a) ? null : here;
    if (!isObject(a) || !isObject(b) || path.length > deepest) return here;
    if (seen.has(a)) return null;
    seen.add(a);
    if (types.isDate(a) || types.isDate(b)) return sameDate(a, b) ? null : here;
    if (types.isRegExp(a) || types.isRegExp(b)) return String(a) === String(b) ? null : here;
    if (typeof a === "function" || typeof b === "function") return here;
    if (types.isNativeError(a) && types.isNativeError(b))
      return a.message === b.message ? compareKeys(a, b, path) : key(a, b, path, "message");
    if (types.isMap(a) && types.isMap(b)) return compareMaps(a, b, path);
    if (types.isSet(a) && types.isSet(b)) return compareSets(a, b, path);
    if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b, path) ?? compareKeys(a, b, path);
    if (Array.isArray(a) !== Array.isArray(b)) return here;
    return compareKeys(a, b, path);
  };
  const key = (a: object, b: object, path: DifferencePath, name: string): ValueDifference | null => {
    const [left, right] = [partOf(a, name), partOf(b, name)];
    const next: DifferencePath = [...path, step(name, a)];
    if (left.isAbsent !== right.isAbsent && (left.value !== undefined || right.value !== undefined))
      return { path: next, received: left, expected: right };
    return compare(left.value, right.value, next);
  };
  const compareKeys = (a: object, b: object, path: DifferencePath): ValueDifference | null => {
    const names = [...Object.keys(b), ...(isPartial ? [] : Object.keys(a).filter((name) => !Object.hasOwn(b, name)))];
    for (const name of names) {
      const found = key(a, b, path, name);
      if (found !== null) return found;
    }
    return null;
  };
  const compareLists = (a: readonly unknown[], b: readonly unknown[], path: DifferencePath): ValueDifference | null => {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const found = compare(a[i], b[i], [...path, { kind: "index", index: i }]);
      if (found !== null) return found;
    }
    if (a.length === b.length) return null;
    const next: DifferencePath = [...path, { kind: "key", key: "length" }];
    const [received, wanted] = [a.length, b.length].map((value) => ({ value, isAbsent: false })) as [Part, Part];
    return { path: next, received, expected: wanted };
  };
  const compareMaps = (
    a: ReadonlyMap<unknown, unknown>,
    b: ReadonlyMap<unknown, unknown>,
    path: DifferencePath,
  ): ValueDifference | null => {
    for (const name of new Set([...b.keys(), ...a.keys()])) {
      const next: DifferencePath = [...path, { kind: "entry", key: name }];
      const left = { value: a.get(name), isAbsent: !a.has(name) };
      const right = { value: b.get(name), isAbsent: !b.has(name) };
      if (left.isAbsent !== right.isAbsent) return { path: next, received: left, expected: right };
      const found = compare(left.value, right.value, next);
      if (found !== null) return found;
    }
    return null;
  };
  const compareSets = (
    a: ReadonlySet<unknown>,
    b: ReadonlySet<unknown>,
    path: DifferencePath,
  ): ValueDifference | null => {
    for (const each of [...b, ...a]) {
      if (a.has(each) && b.has(each)) continue;
      if (isObject(each)) continue;
      const part = (set: ReadonlySet<unknown>) => ({
        value: set.has(each) ? each : undefined,
        isAbsent: !set.has(each),
      });
      return { path: [...path, { kind: "entry", key: each }], received: part(a), expected: part(b) };
    }
    return null;
  };
  return compare(received, expected, []);
}

function sameDate(a: object, b: object): boolean {
  return types.isDate(a) && types.isDate(b) && Object.is(a.getTime(), b.getTime());
}

function partOf(object: object, key: string): Part {
  return { value: (object as Record<string, unknown>)[key], isAbsent: !(key in object) };
}

function step(key: string, object: object): DifferenceStep {
  return Array.isArray(object) && /^\d+$/.test(key) ? { kind: "index", index: Number(key) } : { kind: "key", key };
}

/** `received.lines[2].amount`. */
export function printPath(base: string, path: DifferencePath, printKey: (key: unknown) => string): string {
  return base + path.map((each) => printStep(each, printKey)).join("");
}

function printStep(step: DifferenceStep, printKey: (key: unknown) => string): string {
  switch (step.kind) {
    case "index":
      return `[${step.index}]`;
    case "key":
      return /^[\p{L}_$][\p{L}\d_$]*$/u.test(step.key) ? `.${step.key}` : `[${JSON.stringify(step.key)}]`;
    case "entry":
      return `.get(${printKey(step.key)})`;
  }
}
