import { expect, test } from "vitest";
import { type Change, describeTextChange } from "../../src/changes/change.ts";
import { byPromise, type ChangeKind } from "../../src/changes/kinds.ts";

const source = `int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += i;
    sum = sum % 7; sum++;
  }
  return sum;
}
`;

function change(kind: ChangeKind, ...edits: readonly (readonly [was: string, now: string])[]): Change {
  const found = edits.map(([was, now]) => {
    const start = source.indexOf(was);
    expect(start, was).toBeGreaterThan(-1);
    return now.startsWith("+")
      ? { start, end: start, text: now.slice(1) }
      : { start, end: start + was.length, text: now };
  });
  return { kind, file: "a.c", edits: found.toSorted((a, b) => a.start - b.start), lines: [5] };
}

test("a moved statement is named with its new line, at whatever line it is shown", () => {
  const moved = change("movedStatement", ["sum = sum % 7;", ""], ["return sum;", "+sum = sum % 7; "]);
  expect(describeTextChange(source, moved)).toEqual({
    text: "with `sum = sum % 7` moved to line 7",
    short: "with line 5 moved to line 7",
  });
});

test("a statement that is moved into new braces is named, too", () => {
  const before = change("movedStatement", ["sum++;", ""], ["sum += i;", "+{ sum++; "], ["\n    sum = sum", "+ }"]);
  expect(describeTextChange(source, before).text).toBe("with `sum++` moved to line 4");
  const same = change(
    "movedStatement",
    ["sum = sum % 7;", ""],
    ["sum++;", "+{ "],
    ["\n  }\n  return", "+ sum = sum % 7; }"],
  );
  expect(describeTextChange(source, same).text).toBe("with `sum = sum % 7` moved within its line");
});

test("of changes that are nearly as likely, the shorter one is shown", () => {
  const deleted = change("deletedStatement", ["sum = sum % 7;", ""]);
  const skipped = change("insertedJump", ["sum = sum % 7;", "+continue; "]);
  expect([skipped, deleted].toSorted(byPromise)).toEqual([deleted, skipped]);
  const boundary = change("boundary", ["<", "<="]);
  expect([deleted, boundary].toSorted(byPromise)).toEqual([boundary, deleted]);
});

test("a statement that loses its condition is told so, not by its own text", () => {
  const unguarded = change("unguarded", ["for (int i = 0; i < 3; i++) {", "{"]);
  expect(describeTextChange(source, unguarded).text).toBe("without its condition");
});
