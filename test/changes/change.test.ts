import { expect, test } from "vitest";
import { type Change, describeTextChange, sizeOfEdits } from "../../src/changes/change.ts";
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
  const sorted = found.toSorted((a, b) => a.start - b.start);
  return { kind, file: "a.c", edits: sorted, size: sizeOfEdits(source, sorted), lines: [5] };
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

test("a word is told with what it replaces, an index with its array", () => {
  expect(describeTextChange(source, change("smallConstant", ["= 0;", "= 1;"])).short).toBe("with `int sum = 1`");
  const text = "if (s[i] == 'H' || s[i] == '+') puts(names[i]);";
  const edit = (start: number) => describeTextChange(text, changeAt(start));
  const changeAt = (start: number): Change => {
    return {
      kind: "constantForVariable",
      file: "a.c",
      edits: [{ start, end: start + 1, text: "0" }],
      size: 2,
      lines: [1],
    };
  };
  expect(edit(text.indexOf("i]")).text).toBe(
    "with `s[0] == 'H' || s[i] == '+'` instead of `s[i] == 'H' || s[i] == '+'`",
  );
  expect(edit(text.lastIndexOf("i]"))).toEqual({
    text: "with `names[0]` instead of `names[i]`",
    short: "with `names[0]`",
  });
});

test("the size of a change does not count what stays of the replaced text", () => {
  expect(change("droppedConjunct", ["i < 3", "i"]).size).toBe(1);
  expect(change("addedTerm", ["sum = sum % 7", "sum = sum % 7 + 1"]).size).toBe(3);
  expect(change("otherExpression", ["sum += i", "i += sum"]).size).toBe(5);
  expect(change("deletedStatement", ["sum++;", ""]).size).toBe(1);
});

test("a statement that loses its condition is told so, not by its own text", () => {
  const unguarded = change("unguarded", ["for (int i = 0; i < 3; i++) {", "{"]);
  expect(describeTextChange(source, unguarded).text).toBe("without its condition");
});
