import { emit, jump, newLocation } from "../../../ir/builder.ts";
import { spelledAs } from "../../../ir/expression.ts";
import type { Concrete } from "../../../recorder/language.ts";
import { type Node, withoutTypes } from "../../../recorder/syntax.ts";
import { reprOf } from "../encoding.ts";
import { tagsOf } from "../evidence.ts";
import type { Context, ModelValue } from "./context.ts";
import { elementAccess, lengthAccess, load } from "./memory.ts";
import { rangeAt } from "./observed.ts";
import { branch, madeOf, readInput } from "./opaque.ts";
import { newTemporary, read } from "./registers.ts";
import { binary, compare, int } from "./values.ts";

/** A loop over the elements of something. `each` gets the element and its number and may jump to `next` and `end`. */
export type Rounds = {
  readonly node: Node;
  /** What the condition of the loop stands for in the source. */
  readonly head: Pick<Node, "start" | "end">;
  readonly collection: ModelValue;
  /** Does the model have the elements? Otherwise the log says how many rounds there were, and with what. */
  readonly isFollowed: boolean;
  readonly element: ModelValue["repr"];
  readonly from?: number;
  each(element: ModelValue, index: ModelValue, next: number, end: number): void;
};

export function lowerRounds(cx: Context, rounds: Rounds): void {
  const { node, collection, isFollowed } = rounds;
  const range = rangeAt(cx, rounds.head);
  const index = newTemporary(cx, "int", range);
  emit(cx, { kind: "assign", target: index.id, value: int(rounds.from ?? 0) }, range);
  const [test, body, next, end] = [newLocation(cx), newLocation(cx), newLocation(cx), newLocation(cx)];
  jump(cx, test, range);
  cx.here = test;
  const number: ModelValue = { repr: "int", expr: read(index) };
  const goesOn = isFollowed
    ? compare("<", read(index), load(cx, lengthAccess(cx, collection), "int").expr)
    : spelledAs(madeOf(readInput(cx, node, { node, of: "goesOn", repr: "bool" }), [collection]), moreOf(cx, node));
  branch(cx, goesOn, body, end, "loop", rounds.head);
  cx.here = body;
  const element = isFollowed
    ? load(cx, elementAccess(cx, collection, number), rounds.element)
    : elementFromLog(cx, node, collection);
  rounds.each(element, number, next, end);
  jump(cx, next, range);
  cx.here = next;
  emit(cx, { kind: "assign", target: index.id, value: binary("+", read(index), int(1)) }, range);
  jump(cx, test, range);
  cx.here = end;
}

/** What the log says of a collection that the model does not have the elements of. */
function moreOf(cx: Context, node: Node): string {
  const { start, end } = node.type.startsWith("For") ? node.right : withoutTypes(node.callee).object;
  const text = cx.function.file.text.slice(start, end).replace(/\s+/g, " ");
  return `${/^[\w$.#]+$/.test(text) ? text : "it"} has more`;
}

function elementFromLog(cx: Context, node: Node, collection: ModelValue): ModelValue {
  const repr = elementRepr(cx, node);
  const value = readInput(cx, node, { node, of: "element", repr });
  return { repr, expr: madeOf(value, [collection]) };
}

export function elementRepr(cx: Context, node: Node): ModelValue["repr"] {
  const rounds = cx.model.evidence.rounds.get(node) ?? [];
  const values = rounds.flatMap((round): Concrete[] => (round === null ? [] : [round.value]));
  return reprOf(tagsOf(values));
}
