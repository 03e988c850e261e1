import { types } from "node:util";
import { isObject, peek } from "./objects.ts";

const longest = 60;

/** Tells whether a property of an object was changed later; without a key, whether anything of it was. */
export type ChangedLater = (object: object, key?: PropertyKey) => boolean;

/** A short text of a value. It runs no code of the program. What was changed later is left out: `{a: 1, b: …}`. */
export function printTraced(value: unknown, most = longest, isLater: ChangedLater = () => false): string {
  const text = print(value, 0, isLater);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function print(value: unknown, depth: number, isLater: ChangedLater): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return value.toString();
    case "number":
      return Object.is(value, -0) ? "-0" : `${value}`;
    case "function":
      return `function ${String(peek(value, "name") ?? "")}`.trim();
    case "object":
      return value === null ? "null" : printObject(value, depth, isLater);
    default:
      return `${value as undefined | boolean}`;
  }
}

function printObject(value: object, depth: number, isLater: ChangedLater): string {
  const inside = (part: unknown) => print(part, depth + 1, isLater);
  if (types.isProxy(value)) return "a Proxy";
  if (types.isDate(value) && isLater(value)) return "a Date";
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (types.isRegExp(value)) return String(value);
  if (types.isPromise(value)) return "a Promise";
  if (types.isNativeError(value)) return `${String(peek(value, "name"))}: ${String(peek(value, "message"))}`;
  const name = className(value);
  if (depth > 2) return Array.isArray(value) ? "[…]" : "{…}";
  if (Array.isArray(value) && isLater(value, "length")) return "[…]";
  if (Array.isArray(value)) {
    return `[${some(value.length, (i) => (isLater(value, String(i)) ? "…" : inside(peek(value, String(i)))))}]`;
  }
  if (isLater(value) && (types.isTypedArray(value) || types.isMap(value) || types.isSet(value))) return `${name} {…}`;
  if (types.isTypedArray(value)) return `${name} [${some(value.length, (i) => `${(value as Uint8Array)[i]}`)}]`;
  if (types.isMap(value)) {
    const entries = [...value].slice(0, mostParts);
    const inner = entries.map(([key, each]) => `${inside(key)} => ${inside(each)}`).join(", ");
    return `Map(${value.size}) {${inner}${value.size > mostParts ? ", …" : ""}}`;
  }
  if (types.isSet(value)) {
    const entries = [...value].slice(0, mostParts).map(inside);
    return `Set(${value.size}) {${entries.join(", ")}${value.size > mostParts ? ", …" : ""}}`;
  }
  const keys = Object.keys(value);
  const inner = some(keys.length, (i) => {
    const key = keys[i] ?? "";
    const found = Object.getOwnPropertyDescriptor(value, key);
    const text = found !== undefined && "value" in found ? inside(found.value) : "(getter)";
    return `${key}: ${isLater(value, key) ? "…" : text}`;
  });
  return `${name === "Object" || name === "" ? "" : `${name} `}{${inner}}`;
}

const mostParts = 6;

function some(count: number, part: (index: number) => string): string {
  const parts = Array.from({ length: Math.min(count, mostParts) }, (_, i) => part(i));
  return `${parts.join(", ")}${count > mostParts ? ", …" : ""}`;
}

function className(value: object): string {
  const maker = peek(value, "constructor");
  const name = isObject(maker) ? peek(maker, "name") : undefined;
  return typeof name === "string" ? name : "";
}
