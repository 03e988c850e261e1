import { remembered } from "../../base/memo.ts";
import type { Edge, Function } from "../../ir/program.ts";
import { isScalar } from "../../ir/type.ts";
import { applyUnary, type Concrete } from "../../js/recorder/valueRules.ts";
import {
  call,
  constant,
  type EntryExpr,
  element,
  field,
  foldBinary,
  fresh,
  isPlace,
  mapParts,
  negated,
  type ShadowValue,
  unary,
} from "../expr.ts";
import { isPure } from "../summary.ts";
import { addCondition, bounded, type CFrame, freshOpaque, rememberEntry } from "./frame.ts";
import { isReadable } from "./library.ts";
import { otherWayFails } from "./steps.ts";
import { type CSummary, describeCall } from "./summary.ts";
import { addressOf, type CPlace, type CValue, elementAt, placeBehind, recordedOf } from "./value.ts";

/** Callees with more branches than this are referred to, not spelled out: else cases multiply. */
const inlinedBranches = 2;

/**
 * What a callee did, in the caller's terms: places of the callee's entry state are looked up in the caller's current
 * state. The result is what the call is worth.
 */
export function compose(frame: CFrame, callee: CFrame, summary: CSummary): CValue {
  const { outcome } = summary.shown;
  const raw = summary.result;
  const name = callee.fn.name;
  if (outcome.kind !== "return") return { raw, term: constant(null), scale: null };
  const described = describeCall(name, callee.args);
  const kept = keptCall(frame, callee, summary);
  if (kept !== null) return { raw, term: kept, scale: null };
  const { value, placeIn } = substitution(frame, callee, summary);
  const spelledOut =
    !isRecursive(callee) && !callee.isCallback && (branchesOf(callee.fn) <= inlinedBranches || isPure(summary.shown));
  const conditions = summary.shown.conditions.map((one) => ({ ...one, expr: value(one.expr).term }));
  const writes = summary.writes.map(({ place, value: written }) => {
    const term = spelledOut ? value(written.term) : null;
    const at: CPlace = { ...place, term: placeIn(place.term) };
    return { at, value: { raw: written.raw, term: term?.term ?? freshOpaque(frame, described), scale: null } };
  });
  const result = value(outcome.result);
  for (const [pointer] of summary.blocks) frame.cells.markFresh(pointer);
  if (!spelledOut && !isPure(summary.shown)) frame.delegated.push(described);
  if (spelledOut) for (const one of conditions) addCondition(frame, one);
  for (const one of writes) frame.cells.write(one.at, one.value);
  for (const one of summary.disturbed) frame.cells.disturb({ ...one, term: placeIn(one.term) });
  // The callee's own words for its arguments mean nothing here.
  if (spelledOut) frame.delegated.push(...summary.shown.delegated.map((text) => text.replace(/\(.*\)$/, "(...)")));
  return spelledOut ? { ...result, raw } : { raw, term: freshOpaque(frame, described), scale: null };
}

/** Branches, without those that end the run on one side. */
function branchesOf(fn: Function): number {
  const ways = new Set(fn.edges.filter((edge) => isBranch(edge) && !otherWayFails(fn, edge)).map((edge) => edge.from));
  return ways.size;
}

function isBranch({ operation }: Edge): boolean {
  return operation.kind === "assume" || operation.kind === "case";
}

function isRecursive(callee: CFrame): boolean {
  for (let at = callee.caller; at !== null; at = at.caller) if (at.fn === callee.fn) return true;
  return false;
}

/** A pure call whose result is no place stays a call (§4.2.2): all paths agree on one form, and recursion ends. */
function keptCall(frame: CFrame, callee: CFrame, summary: CSummary): EntryExpr | null {
  const { shown } = summary;
  const { outcome } = shown;
  const { type } = callee.fn;
  if (outcome.kind !== "return" || !isPure(summary.shown) || summary.blocks.size > 0 || !isScalar(type.result))
    return null;
  if (!isRecursive(callee)) {
    if (isPlace(outcome.result) || outcome.result.kind === "opaque") return null;
    if (outcome.result.kind === "const" && shown.conditions.length === 0) return null;
  }
  if (frame.cells.hasWritten() || !callee.args.every(({ term }) => isReadable(term))) return null;
  const term = call(
    callee.fn.name,
    null,
    callee.args.map((one) => one.term),
  );
  const { value } = substitution(frame, callee, summary);
  // The caller needs what the callee needs.
  for (const one of shown.conditions)
    if (one.kind === "native" || one.needed) addCondition(frame, { ...one, expr: value(one.expr).term });
  if (shown.conditions.every((one) => one.kind === "native" || one.needed)) {
    const definition = value(outcome.result).term;
    if (isReadable(definition) && definition.key !== term.key) frame.definitions.set(term.key, { term, definition });
  }
  rememberEntry(frame, term, summary.result, type.result, null);
  return term;
}

/** Terms of the callee as values and places of the caller. */
function substitution(frame: CFrame, callee: CFrame, summary: CSummary) {
  const known = new Map<string, CValue>();
  const { pointers } = frame.world;
  const freshTerms = new Map<string, EntryExpr>();
  for (const [pointer, term] of summary.blocks) {
    if (term.kind !== "new") continue;
    const made = fresh(frame.fresh++, term.className, term.text);
    freshTerms.set(term.key, made);
    frame.blocks.set(pointer, made);
  }
  const plain = (raw: CValue["raw"], term: EntryExpr): CValue => ({ raw, term, scale: null });
  const unknown = (text: string): CValue => plain(undefined, freshOpaque(frame, text));

  function look(expr: EntryExpr): CValue {
    const origin = summary.origins.get(expr.key);
    if (origin?.kind === "parameter") return callee.args[origin.index] ?? unknown("an argument");
    if (origin?.kind === "place") {
      const place = { ...origin.place, term: placeIn(expr) };
      const raw = summary.raws.get(expr.key);
      return frame.cells.read(place, raw);
    }
    switch (expr.kind) {
      case "const":
        return plain(typeof expr.value === "number" || typeof expr.value === "bigint" ? expr.value : 0, expr);
      case "free":
        return plain(undefined, expr);
      case "unary":
        if (expr.operator === "&") return plain(undefined, addressOf(placeIn(expr.operand)));
        if (expr.operator === "*") return unknown("memory");
        return expr.operator === "!"
          ? plain(undefined, negated(value(expr.operand).term))
          : plain(
              rawOf(applyUnary(expr.operator, concrete(expr.operand))),
              unary(expr.operator, value(expr.operand).term),
            );
      case "binary": {
        const operand = (part: EntryExpr): ShadowValue => ({ concrete: concrete(part), term: value(part).term });
        const folded = foldBinary(expr.operator, operand(expr.left), operand(expr.right));
        return plain(rawOf(folded.concrete), folded.term);
      }
      case "call": {
        const term = mapParts(expr, (part) => value(part).term);
        if (frame.cells.hasWritten() || !isReadable(term)) return unknown("a call");
        const entry = summary.shown.entry.get(expr.key);
        if (entry !== undefined) frame.entry.set(term.key, { ...entry, term });
        return plain(undefined, term);
      }
      case "new":
        return plain(undefined, freshTerms.get(expr.key) ?? freshOpaque(frame, "an object"));
      case "loop":
        return plain(undefined, expr);
      default:
        return unknown("memory");
    }
  }

  const concrete = (expr: EntryExpr): Concrete => {
    if (expr.kind === "const") return expr.value;
    const { raw } = value(expr);
    const origin = summary.origins.get(expr.key);
    const isPointer = origin?.kind === "place" && origin.place.type.kind === "pointer";
    return recordedOf(raw, isPointer ? origin.place.type : { kind: "bool" }, pointers);
  };

  function value(expr: EntryExpr): CValue {
    return remembered(known, expr.key, () => bounded(frame, look(expr)));
  }

  /** A term with a value is reached through it; an array or a struct has no value. */
  const hasValue = (expr: EntryExpr): boolean =>
    summary.origins.has(expr.key) ||
    !["free", "field", "element", "unary", "new"].includes(expr.kind) ||
    (expr.kind === "new" && freshTerms.has(expr.key)) ||
    (expr.kind === "unary" && expr.operator !== "*");

  function placeIn(expr: EntryExpr): EntryExpr {
    switch (expr.kind) {
      case "unary":
        return expr.operator === "*" ? placeBehind(value(expr.operand).term) : freshOpaque(frame, "a place");
      case "field":
        return field(placeIn(expr.base), expr.name);
      case "element": {
        const index = expr.index.kind === "const" ? plain(undefined, expr.index) : value(expr.index);
        if (!hasValue(expr.base)) return element(placeIn(expr.base), index.term);
        const base = value(expr.base);
        return expr.index.kind === "const" && expr.index.value === "*"
          ? element(behindAddress(base.term), expr.index)
          : elementAt(base, index, base.scale ?? 0);
      }
      case "free":
        return expr;
      case "new":
        return freshTerms.get(expr.key) ?? freshOpaque(frame, "an object");
      default:
        return placeBehind(value(expr).term);
    }
  }

  return { value, placeIn };
}

/** `a` for `&a` and `&a[3]`: some cells of it. */
function behindAddress(term: EntryExpr): EntryExpr {
  if (term.kind !== "unary" || term.operator !== "&") return term;
  return term.operand.kind === "element" ? term.operand.base : term.operand;
}

function rawOf(concrete: Concrete): CValue["raw"] {
  if (typeof concrete === "boolean") return Number(concrete);
  return typeof concrete === "number" || typeof concrete === "bigint" ? concrete : undefined;
}
