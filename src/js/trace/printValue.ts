import { types } from "node:util";
import { isObject, peek } from "./objects.ts";

const longest = 60;

/** A short text of a value. It runs no code of the program. */
export function printTraced(value: unknown, most = longest): string {
  const text = print(value, 0);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function print(value: unknown, depth: number): string {
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
      return value === null ? "null" : printObject(value, depth);
    default:
      return `${value as undefined | boolean}`;
  }
}

function printObject(value: object, depth: number): string {
  if (types.isProxy(value)) return "a Proxy";
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (types.isRegExp(value)) return String(value);
  if (types.isPromise(value)) return "a Promise";
  if (types.isNativeError(value)) return `${String(peek(value, "name"))}: ${String(peek(value, "message"))}`;
  const name = className(value);
  if (depth > 2) return Array.isArray(value) ? "[…]" : "{…}";
  if (Array.isArray(value)) return `[${some(value.length, (i) => print(peek(value, String(i)), depth + 1))}]`;
  if (types.isTypedArray(value)) return `${name} [${some(value.length, (i) => `${(value as Uint8Array)[i]}`)}]`;
  if (types.isMap(value)) {
    const entries = [...value].slice(0, mostParts);
    const inner = entries.map(([key, each]) => `${print(key, depth + 1)} => ${print(each, depth + 1)}`).join(", ");
    return `Map(${value.size}) {${inner}${value.size > mostParts ? ", …" : ""}}`;
  }
  if (types.isSet(value)) {
    const entries = [...value].slice(0, mostParts).map((each) => print(each, depth + 1));
    return `Set(${value.size}) {${entries.join(", ")}${value.size > mostParts ? ", …" : ""}}`;
  }
  const keys = Object.keys(value);
  const inner = some(keys.length, (i) => {
    const found = Object.getOwnPropertyDescriptor(value, keys[i] ?? "");
    const text = found !== undefined && "value" in found ? print(found.value, depth + 1) : "(getter)";
    return `${keys[i]}: ${text}`;
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
