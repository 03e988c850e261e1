import {
  type ClassContract,
  type Contract,
  type ContractCase,
  type ContractEffect,
  type Inference,
  writtenPlaces,
} from "../../analyses/infer/contract.ts";
import {
  elsewhere,
  mentionsLoop,
  nothingWritten,
  operatorText,
  type PrintOptions,
  printCondition,
  printExpr,
} from "../../analyses/infer/printExpr.ts";
import { nth } from "../../base/checked.ts";
import { constant, type EntryExpr, element } from "../../concolic/expr.ts";
import type { InferReport, ReportedCase, ReportedClass, ReportedFunction } from "./result.ts";

type Described = Pick<InferReport, "classes" | "functions" | "without">;

export function describeInference(inference: Inference, shown: (path: string) => string): Described {
  return {
    classes: inference.classes.map((one) => describeClass(one, shown)),
    functions: inference.contracts.map((one) => describeContract(one, shown)),
    without: inference.without.map(({ name, path, reason }) => ({ name, file: shown(path), reason })),
  };
}

function describeClass(one: ClassContract, shown: (path: string) => string): ReportedClass {
  const options: PrintOptions = { kinds: one.kinds, params: new Set(), ...nothingWritten };
  return {
    name: one.name,
    file: shown(one.path),
    fields: one.fields,
    invariants: [
      ...one.invariants.map((expr) => printCondition(expr, options)),
      ...one.templates.map(templateText),
      ...one.orders.map(orderText),
    ],
    states: one.states,
  };
}

function orderText({ array, pairs, operator }: ClassContract["orders"][number]): string {
  if (pairs === "next") return `${array}[k] ${operator} ${array}[k + 1] for k < ${array}.length - 1`;
  return `${array}[(k - 1) >> 1] ${operator} ${array}[k] for k > 0`;
}

function templateText({ array, bound, side, content }: ClassContract["templates"][number]): string {
  return `${array}[k] ${content === "null" ? "==" : "!="} null for k ${side} ${bound}`;
}

function describeContract(contract: Contract, shown: (path: string) => string): ReportedFunction {
  const { subject } = contract;
  const { calls, replayed, tests, examples } = contract.evidence;
  // Places that the call writes have a value before and after it; conditions are about the value before.
  const params = new Set(contract.params.map(({ name }) => name));
  const after = (places: readonly EntryExpr[]): PrintOptions => ({
    kinds: contract.kinds,
    params,
    written: new Set(places.map((place) => place.key)),
    touched: new Set(places.flatMap(touchedBy)),
  });
  const options = after(contract.modifies);
  const entry: PrintOptions = { kinds: contract.kinds, params, ...nothingWritten };
  const conditions = (guard: readonly EntryExpr[]): string[] => guard.map((expr) => printCondition(expr, entry));
  const returning = contract.cases.filter((one) => one.outcome === "return");
  const single = returning.length === 1 && nth(returning, 0).guard.length === 0 && !nth(returning, 0).partial;
  const describeCase = (one: ContractCase): ReportedCase => {
    // Places that only other cases write are unchanged in this one.
    const own = after(writtenPlaces([...contract.ensures, ...one.effects]));
    return {
      guard: conditions(one.guard),
      effects: one.effects.filter((effect) => !isAboutOthers(effect)).map((effect) => effectText(effect, own)),
      calls: one.calls,
      partial: one.partial,
    };
  };
  const shared = [...contract.ensures, ...(single ? nth(returning, 0).effects : [])];
  // If every case is fully described, the paths are irrelevant to a caller.
  const context = single ? [] : returning.filter((one) => one.effects.length > 0 || (one.partial && one.unsaid));
  return {
    name: subject.name,
    file: shown(subject.path),
    line: subject.line,
    kind: subject.kind,
    className: subject.className,
    static: subject.static,
    async: subject.async,
    exported: subject.exported,
    params: contract.params,
    isPositional: subject.isPositional,
    returns: contract.returns,
    pre: contract.requires.map(({ expr, origin }) => ({ condition: printCondition(expr, entry), origin })),
    // Changes without a formula are covered by the list of modified places.
    post: shared.filter(({ kind }) => kind !== "changed").map((effect) => effectText(effect, options)),
    cases: context.map(describeCase),
    ordered: contract.ordered,
    pure: contract.pure,
    modifies: modifiedTexts(contract.modifies, entry),
    throws: describeThrows(contract.cases, conditions),
    calls: contract.delegated,
    paths: contract.evidence.paths,
    evidence: { calls, replayed, tests, examples },
    withheld: contract.withheld,
    rounds: (single ? returning : context).some(usesRounds) || contract.ensures.some(effectUsesRounds),
  };
}

/**
 * One entry for each kind of error: `RangeError`, with its message if it is always the same. The conditions of several
 * cases become one.
 */
function describeThrows(
  cases: readonly ContractCase[],
  conditions: (guard: readonly EntryExpr[]) => readonly string[],
): ReportedFunction["throws"] {
  const kinds = new Map<string, ContractCase[]>();
  for (const one of cases.filter(({ outcome }) => outcome === "throw")) {
    const error = one.error ?? "";
    // Values that are no errors have no kind: `throw 1`.
    const kind = /^[\w$]+(?=: )/.exec(error)?.[0] ?? error;
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  return [...kinds].map(([kind, group]) => {
    const errors = [...new Set(group.map(({ error }) => error ?? ""))];
    const guards = [...new Set(group.map(({ guard }) => conditions(guard).join(" && ")))];
    const [only] = group;
    const joined = guards.includes("") ? [] : [guards.map((text) => `(${text})`).join(" || ")];
    return {
      error: errors.length === 1 ? nth(errors, 0) : kind,
      when: guards.length === 1 && only !== undefined ? conditions(only.guard) : joined,
      partial: group.some(({ partial }) => partial),
    };
  });
}

function isAboutOthers(effect: ContractEffect): boolean {
  return effect.kind === "changed" && effect.place === elsewhere;
}

/** Writes to more cells of one object are reported as its contents. */
const mostCells = 3;

function modifiedTexts(places: readonly EntryExpr[], options: PrintOptions): readonly string[] {
  const cells = places.filter((place) => place.kind === "element");
  const texts = places.map((place) => {
    // For an entry of a Map, print the Map.
    if (place.kind === "call" && place.receiver !== null) return printExpr(place.receiver, options);
    const isOneOfMany =
      place.kind === "element" && cells.filter(({ base }) => base.key === place.base.key).length > mostCells;
    return printExpr(isOneOfMany ? element(place.base, constant("*")) : place, options);
  });
  const named = new Set(texts);
  return [...named].filter((text) => !(text.endsWith(".size") && named.has(text.slice(0, -".size".length))));
}

function usesRounds(one: ContractCase): boolean {
  return one.guard.some(mentionsLoop) || one.effects.some(effectUsesRounds);
}

function effectUsesRounds(effect: ContractEffect): boolean {
  return effect.kind !== "changed" && mentionsLoop(effect.value);
}

/** `NaN` or `Number.NaN`, which equals nothing. */
function isNotANumber(value: EntryExpr): boolean {
  if (value.kind === "field") return value.name === "NaN" && value.base.kind === "free" && value.base.name === "Number";
  return value.kind === "const" && Number.isNaN(value.value);
}

function effectText(effect: ContractEffect, options: PrintOptions): string {
  const equal = operatorText("===", options);
  switch (effect.kind) {
    case "result":
    case "write": {
      const place = effect.kind === "result" ? "result" : placeText(effect, options);
      if (effect.value.kind === "new") return `${place} is ${printExpr(effect.value, options)}`;
      if (isNotANumber(effect.value)) return `Number.isNaN(${place})`;
      return `${place} ${equal} ${operand(effect.value, options)}`;
    }
    case "shape":
      return `${placeText(effect, options)}.${effect.name} ${equal} ${operand(effect.value, options)}`;
    case "contains":
      return `${placeText(effect, options)}.includes(${printExpr(effect.value, options)})`;
    case "changed":
      return `${placeText(effect, options)} changes`;
  }
}

/** The place itself is meant after the call, its base as it was at entry. */
function placeText(effect: Exclude<ContractEffect, { kind: "result" }>, options: PrintOptions): string {
  const { place } = effect;
  if (place.kind === "element")
    return printExpr({ ...place, key: "" }, { ...options, touched: withoutBase(place.base, options) });
  const written = new Set([...options.written].filter((key) => key !== place.key));
  return printExpr(place, { ...options, written, touched: place.kind === "call" ? new Set() : options.touched });
}

function withoutBase(base: EntryExpr, { touched }: PrintOptions): ReadonlySet<string> {
  return new Set([...touched].filter((key) => key !== base.key));
}

/** The array or object that contains a written place. */
function touchedBy(place: EntryExpr): readonly string[] {
  if (place.kind === "element" || place.kind === "field") return [place.base.key];
  return place.kind === "call" && place.receiver !== null ? [place.receiver.key] : [place.key];
}

function operand(expr: EntryExpr, options: PrintOptions): string {
  const text = printExpr(expr, options);
  return expr.kind === "binary" && /[=<>]/.test(expr.operator) ? `(${text})` : text;
}
