import { expect, it } from "vitest";
import { nth, present } from "../../../src/base/checked.ts";
import { applyEdits } from "../../../src/changes/change.ts";
import { proposeChanges, readSites } from "../../../src/js/changes/proposeChanges.ts";
import { inTurns } from "../../../src/js/changes/switchedSources.ts";

function proposed(text: string) {
  const file = present(readSites({ path: "a.js", text }));
  return proposeChanges(file, new Set(file.sites.functions.map(({ start }) => start)));
}

const textsOf = (text: string) => proposed(text).map(({ change }) => applyEdits(text, change.edits).trim());

it("copies a short statement to where its variables are known", () => {
  const texts = textsOf(`function a(key, list) {
  if (key === "x") return list
  return [key]
}
function b(key, list) {
  list.push(key)
  return list
}
function c(rows) { rows.sort() }`);
  expect(texts.some((text) => /function b\(key, list\) \{\s+if \(key === "x"\) return list;/.test(text))).toBe(true);
  expect(texts.some((text) => /function a\(key, list\) \{\s+list\.push\(key\);/.test(text))).toBe(true);
  expect(texts.every((text) => !/function c\(rows\) \{\s+list/.test(text))).toBe(true);
});

it("puts a variable in the place of undefined, and a default where a value may be missing", () => {
  const texts = textsOf("function a(value) { return undefined }\nfunction b(list) { return list }");
  expect(texts.some((text) => text.includes("return value "))).toBe(true);
  expect(texts.some((text) => text.includes("return list ?? []"))).toBe(true);
});

it("are tried in turns: not all of the likeliest line before the first of the next one", () => {
  const text = `function f(a, b) {
  const c = a + b
  return c > 1
}`;
  const changes = proposed(text).map((proposal) => ({ proposal }));
  const order = inTurns(changes, ({ proposal }) => nth(proposal.change.lines, 0));
  const lines = order.map(({ proposal }) => nth(proposal.change.lines, 0));
  expect(lines[0]).toBe(2);
  expect(lines.indexOf(3)).toBeLessThan(lines.lastIndexOf(2));
  expect(order).toHaveLength(changes.length);
});
