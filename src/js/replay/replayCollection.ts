import { present } from "../../base/checked.ts";
import { type Concrete, objectOf } from "../recorder/language.ts";
import type { Recorded } from "../recorder/recorded.ts";
import type { Node } from "../recorder/syntax.ts";
import { collectionEntries, collectionOf } from "./makers.ts";
import { addKey, identify, noteMade, type ReplayFrame } from "./replayFrame.ts";
import { keyKind } from "./slots.ts";

/** `new Map(…)`: what is in it from the beginning is known where a literal says it. */
export function noteCollection(frame: ReplayFrame, value: Concrete, node: Node): void {
  noteMade(frame, value, node);
  const { evidence } = frame.replay;
  const object = objectOf(value);
  const made = object === null ? undefined : evidence.made.get(object);
  if (made === undefined) return;
  const entries = collectionEntries(node);
  if (entries === null) {
    evidence.tainted.add(object!);
    return;
  }
  for (const { key } of entries) enter(frame, object!, evidence.values.get(key)?.at(-1));
}

/** A Map or a Set is asked, or changed. */
export function noteEntry(
  frame: ReplayFrame,
  method: string,
  receiver: Concrete,
  [key]: readonly Concrete[],
  result: Recorded,
): void {
  const { evidence } = frame.replay;
  const object = objectOf(receiver);
  const made = object === null ? undefined : evidence.made.get(object);
  if (made === undefined || collectionOf(made.maker) === null) return;
  switch (method) {
    case "set":
    case "add":
      return enter(frame, object!, key);
    case "get":
      ask(frame, object!, key);
      if (typeof key === "string" || typeof key === "number") identify(evidence, made.parts.get(key), result);
      return;
    case "delete":
      evidence.shrunk.add(object!);
      ask(frame, object!, key);
      return;
    case "has":
      ask(frame, object!, key);
  }
}

function enter(frame: ReplayFrame, object: NonNullable<ReturnType<typeof objectOf>>, key: Concrete): void {
  const { evidence } = frame.replay;
  if (ask(frame, object, key)) addKey(evidence, present(evidence.made.get(object)), key);
}

/** Is the key of a kind that the model has entries for? */
function ask(frame: ReplayFrame, object: NonNullable<ReturnType<typeof objectOf>>, key: Concrete): boolean {
  const { evidence } = frame.replay;
  const isKnown = keyKind(evidence, key) !== null;
  if (isKnown) evidence.keys.add(key);
  else evidence.tainted.add(object);
  return isKnown;
}
