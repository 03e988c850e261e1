import { nth, present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { ArrayType, StructType, Type } from "../../ir/type.ts";
import type { Designator, Expr, Initializer, InitializerItem } from "../ast.ts";
import { type Context, inputError } from "../lower/context.ts";
import { findField } from "../types/layout.ts";
import { elementTypeOfString } from "./initialize.ts";
import { constantInteger, typeOfOperand } from "./resolveType.ts";

/** One expression of an initialiser and the part of the object that it sets. */
export type InitializerLeaf = {
  /** Field positions and element indices, from the outside in. */
  readonly path: readonly number[];
  readonly type: Type;
  readonly value: Expr;
  readonly range: SourceRange;
};

export type InitializerPlan = {
  readonly leaves: readonly InitializerLeaf[];
  readonly length: number;
};

/** The items of one brace; `position` is the next one. */
type Items = { readonly list: readonly InitializerItem[]; position: number };

/** Assigns the parts of an initialiser to the parts of an object (C11 6.7.9): designators, missing braces, strings. */
export function planInitializer(cx: Context, type: Type, initializer: Initializer): InitializerPlan {
  const planner: Planner = { cx, events: [], length: 0, designated: false };
  planValue(planner, type, initializer, []);
  const leaves = planner.designated ? withoutOverridden(planner.events) : planner.events.filter(isLeaf);
  return { leaves, length: planner.length };
}

/** Resets an object: a braced list resets all of it, a designated member of a union everything but that member. */
type Reset = { readonly path: readonly number[]; readonly value: null; readonly except: number | null };
/** In source order. */
type Event = InitializerLeaf | Reset;
type Planner = {
  readonly cx: Context;
  readonly events: Event[];
  length: number;
  /** Only designators can return to a part that is already initialised. */
  designated: boolean;
};

function isLeaf(event: Event): event is InitializerLeaf {
  return event.value !== null;
}

/** Drops the leaves that a later event overrides: one for the same or an enclosing part, or for another member of a union. */
function withoutOverridden(events: readonly Event[]): InitializerLeaf[] {
  /** The parts that later events set, each with the one member that they leave alone. */
  const later = new Map<string, number | null>();
  const kept: InitializerLeaf[] = [];
  for (let i = events.length - 1; i >= 0; i--) {
    const event = nth(events, i);
    const { path } = event;
    const keys = ["", ...path.map((_, depth) => path.slice(0, depth + 1).join(","))];
    const isReset = (key: string, depth: number) => later.has(key) && later.get(key) !== path[depth];
    const own = nth(keys, path.length);
    if (isLeaf(event)) {
      if (keys.some(isReset)) continue;
      kept.push(event);
      later.set(own, null);
    } else if (!keys.slice(0, -1).some(isReset)) {
      later.set(own, !later.has(own) || later.get(own) === event.except ? event.except : null);
    }
  }
  return kept.reverse();
}

function planValue(planner: Planner, type: Type, initializer: Initializer, path: readonly number[]): void {
  if (initializer.kind === "expression") {
    if (type.kind === "array") {
      const string = stringFor(planner, type, initializer.value);
      if (string === null)
        inputError("TF171", "an array needs a list or a string as its initialiser", initializer.range);
      return addString(planner, type, string, path);
    }
    return addLeaf(planner, type, initializer.value, path);
  }
  const { items } = initializer;
  const first = items[0];
  if (type.kind === "array" && items.length === 1 && first!.designators.length === 0) {
    const string = first!.value.kind === "expression" ? stringFor(planner, type, first!.value.value) : null;
    if (string !== null) return addString(planner, type, string, path);
  }
  if (type.kind === "array" || type.kind === "struct") {
    planner.events.push({ path, value: null, except: null });
    return fill(planner, type, path, { list: items, position: 0 }, true, null);
  }
  // A scalar in braces; an empty list is zero.
  if (first !== undefined) planValue(planner, type, first.value, path);
}

/**
 * Initialises an array or struct from the current item on. With its own braces it takes all items and follows their
 * designators; without, it takes as many as it has room for. `pending` are the remaining designators of the first item.
 */
function fill(
  planner: Planner,
  type: ArrayType | StructType,
  path: readonly number[],
  items: Items,
  braced: boolean,
  pending: readonly Designator[] | null,
): void {
  const count = memberCount(type);
  let next = 0;
  let designators = pending;
  while (items.position < items.list.length) {
    const item = nth(items.list, items.position);
    if (designators === null && item.designators.length > 0) {
      if (!braced) return;
      designators = item.designators;
    }
    if (designators !== null) {
      next = fillDesignated(planner, type, path, items, designators);
      designators = null;
      continue;
    }
    if (next >= count) {
      if (!braced) return;
      // More items than members: gcc warns and ignores them.
      items.position++;
      continue;
    }
    noteIndex(planner, type, path, next);
    fillMember(planner, memberType(type, next), [...path, next], items);
    next = type.kind === "struct" && type.union ? count : next + 1;
  }
}

/** Initialises the designated item and the members that follow it on the path. Returns the next position. */
function fillDesignated(
  planner: Planner,
  type: ArrayType | StructType,
  path: readonly number[],
  items: Items,
  designators: readonly Designator[],
): number {
  const [first, ...rest] = designators;
  planner.designated = true;
  const { from, to, left } = selectMembers(planner, type, first!, rest);
  const start = items.position;
  if (type.kind === "struct" && type.union) planner.events.push({ path, value: null, except: from });
  for (let position = from; position <= to; position++) {
    items.position = start;
    noteIndex(planner, type, path, position);
    const member = memberType(type, position);
    const memberPath = [...path, position];
    if (left.length === 0) fillMember(planner, member, memberPath, items);
    else if (member.kind === "array" || member.kind === "struct") {
      fill(planner, member, memberPath, items, false, left);
    } else inputError("TF172", "a designator leads into something without members", first!.range);
  }
  return type.kind === "struct" && type.union ? memberCount(type) : to + 1;
}

type Selection = { readonly from: number; readonly to: number; readonly left: readonly Designator[] };

function selectMembers(
  planner: Planner,
  type: ArrayType | StructType,
  first: Designator,
  rest: readonly Designator[],
): Selection {
  if (first.kind === "field") {
    const found = type.kind === "struct" ? findField(type, first.name) : null;
    if (found === null) return inputError("TF157", `there is no member ${first.name}`, first.range);
    const position = present((type as StructType).layout).fields.indexOf(nth(found, 0));
    // A member of an anonymous member: repeat the designator one level down.
    return { from: position, to: position, left: found.length > 1 ? [first, ...rest] : rest };
  }
  if (type.kind !== "array") return inputError("TF172", "an index designates an element of an array", first.range);
  const from = Number(constantInteger(planner.cx, first.from, "an index"));
  const to = first.to === null ? from : Number(constantInteger(planner.cx, first.to, "an index"));
  if (from < 0 || to < from || to >= memberCount(type)) {
    return inputError("TF172", "this index is outside of the array", first.range);
  }
  return { from, to, left: rest };
}

function fillMember(planner: Planner, type: Type, path: readonly number[], items: Items): void {
  const { value } = nth(items.list, items.position);
  if (value.kind === "list") {
    items.position++;
    return planValue(planner, type, value, path);
  }
  if (type.kind === "array") {
    const string = stringFor(planner, type, value.value);
    if (string === null) return fill(planner, type, path, items, false, null);
    items.position++;
    return addString(planner, type, string, path);
  }
  if (type.kind === "struct" && !hasType(planner.cx, value.value, type)) {
    return fill(planner, type, path, items, false, null);
  }
  items.position++;
  addLeaf(planner, type, value.value, path);
}

function addLeaf(planner: Planner, type: Type, value: Expr, path: readonly number[]): void {
  planner.events.push({ path, type, value, range: value.range });
}

function addString(
  planner: Planner,
  type: ArrayType,
  string: Expr & { kind: "string" },
  path: readonly number[],
): void {
  if (path.length === 0) planner.length = Math.max(planner.length, string.units.length + 1);
  addLeaf(planner, type, string, path);
}

function noteIndex(planner: Planner, type: Type, path: readonly number[], index: number): void {
  if (path.length === 0 && type.kind === "array") planner.length = Math.max(planner.length, index + 1);
}

/** The string literal that initialises an array of characters of the same width. */
function stringFor(planner: Planner, type: ArrayType, value: Expr): (Expr & { kind: "string" }) | null {
  if (value.kind !== "string" || type.element.kind !== "int") return null;
  return elementTypeOfString(planner.cx.unit, value.prefix).bits === type.element.bits ? value : null;
}

/** True if it is a struct of this type. Most items are plainly numbers; only the others need their type computed. */
function hasType(cx: Context, e: Expr, type: StructType): boolean {
  switch (e.kind) {
    case "number":
    case "character":
    case "string":
    case "binary":
    case "sizeofExpr":
    case "sizeofType":
      return false;
    case "unary":
      return e.operator === "*" && typeOfOperand(cx, e) === type;
    default:
      return typeOfOperand(cx, e) === type;
  }
}

export function memberCount(type: ArrayType | StructType): number {
  if (type.kind === "array") return type.length ?? Number.POSITIVE_INFINITY;
  if (type.union) return Math.min(1, type.layout?.fields.length ?? 0);
  return type.layout?.fields.length ?? 0;
}

export function memberType(type: ArrayType | StructType, position: number): Type {
  return type.kind === "array" ? type.element : nth(present(type.layout).fields, position).type;
}
