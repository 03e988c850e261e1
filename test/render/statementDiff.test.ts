import { expect, it } from "vitest";
import { changesStatement } from "../../src/changes/change.ts";
import type { Suspect, TextChange } from "../../src/commands/explain/result.ts";
import { plain } from "../../src/render/layout.ts";
import { statementDiff } from "../../src/render/statementDiff.ts";

const file = "p.c";
const source = `  if (value < smallest)
    smallest = value;
  int number = first - second; printf("%d", number);
`;

/** A suspect whose first change replaces the text between two columns of a line. */
function suspect(kind: string, line: number, column: number, endColumn: number, text: string, words: string): Suspect {
  const location = { file, line, column, endLine: line, endColumn };
  const tests = { asked: 2, broken: [], stillFailing: [] };
  const change: TextChange = {
    kind,
    text,
    edits: [{ location, text }],
    level: "passes",
    avoids: false,
    tests,
    confirmed: true,
  };
  const passingRuns = { asked: 2, broken: 0, stillFailing: 0 };
  return {
    location,
    function: "main",
    text: "",
    statement: "",
    weight: 1,
    certainty: "sure",
    node: null,
    operand: null,
    way: null,
    whatIfs: [{ kind: "change", text: words, short: words, level: "passes", passingRuns }],
    changes: [change],
  };
}

function diffOf(given: Suspect, isLong = false) {
  return statementDiff(
    given,
    ({ text }) => (isLong ? text.repeat(20) : text),
    () => source,
    plain,
  );
}

it("shows an inserted statement beside its neighbour if its words do not name it", () => {
  const added = "if (largest < value) largest = value; ";
  expect(diffOf(suspect("insertedReset", 1, 3, 3, added, "with a statement added here"))).toEqual([
    "   + if (largest < value) largest = value;",
    "     if (value < smallest)",
  ]);
});

it("shows the old and the new line of a replaced statement if one line of words is too short for both", () => {
  const text = 'double number = first - second; printf("%f", number);';
  const given = suspect("floatingType", 3, 3, 54, text, `with \`${text}\``);
  expect(diffOf(given)).toBeNull();
  expect(diffOf(given, true)).toEqual([
    '   - int number = first - second; printf("%d", number);',
    '   + double number = first - second; printf("%f", number);',
  ]);
});

it("is asked of inserted, moved and replaced statements, not of changes within one", () => {
  expect(changesStatement("insertedReset", [{ text: "x = 0;" }])).toBe(true);
  expect(changesStatement("floatingType", [{ text: "double" }, { text: "%f" }])).toBe(true);
  expect(changesStatement("boundary", [{ text: "<=" }])).toBe(false);
});
