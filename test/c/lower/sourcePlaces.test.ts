import { expect, test } from "vitest";
import type { SourceRange } from "../../../src/base/sourceRange.ts";
import { type Expression, expressionOperands, rangeOfExpression } from "../../../src/ir/expression.ts";
import type { Program } from "../../../src/ir/program.ts";
import { lower } from "./lowered.ts";

function textAt(program: Program, range: SourceRange | null): string | null {
  if (range === null) return null;
  const lines = program.files[0]!.text.split("\n").slice(range.line - 1, range.endLine);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, range.endColumn - 1);
  lines[0] = lines[0]!.slice(range.column - 1);
  return lines.map((line) => line.trim()).join(" ");
}

/** What the source says for an expression and for those below it. */
function textsOf(program: Program, expression: Expression): (string | null)[] {
  const below = expressionOperands(expression).flatMap((operand) => textsOf(program, operand));
  return [textAt(program, rangeOfExpression(expression)), ...below];
}

const text = `
#define SIZE 8
enum state { IDLE, BUSY = 5 };
struct ring { int data[SIZE]; unsigned count; };
int full(struct ring *r, short limit) {
  if (r->count > SIZE)
    return limit;
  r->data[limit + 1] = 0x40;
  return 0;
}
int main(void) { struct ring r = { { 0 } }; enum state s = BUSY; return full(&r, s); }
`;

test("knows the source text of expressions", async () => {
  const program = await lower(text);
  const { edges } = program.functions.find(({ name }) => name === "full")!;
  const texts = edges.map(({ operation }) => {
    switch (operation.kind) {
      case "assume":
        return textsOf(program, operation.condition);
      case "store":
        return [textsOf(program, operation.address), textsOf(program, operation.value)];
      case "return":
        return textsOf(program, operation.value!);
      default:
        return [];
    }
  });
  const condition = ["r->count > SIZE", "r->count", "r->count", "r", "SIZE"];
  expect(texts).toEqual([
    condition,
    condition,
    ["limit", "limit"],
    [["r->data[limit + 1]", "r->data", "r", "limit + 1", "limit", "limit", "1"], ["0x40"]],
    ["0"],
  ]);
});

test("knows the statements of a function, with their first lines", async () => {
  const program = await lower(`int main(void) {
  int n = 3;
  for (int i = 0; i < n; i++) {
    if (i == 2)
      break;
    else n--;
  }
  do n++; while (n < 5);
  switch (n) { case 5: return 0; }
  return 1;
}`);
  const { statements } = program.functions.find(({ name }) => name === "main")!;
  expect(statements!.map(({ kind, head }) => [kind, textAt(program, head)!.trim()])).toEqual([
    ["declaration", "int n = 3;"],
    ["loop", "for (int i = 0; i < n; i++)"],
    ["if", "if (i == 2)"],
    ["jump", "break;"],
    ["simple", "n--;"],
    ["loop", "while (n < 5);"],
    ["simple", "n++;"],
    ["switch", "switch (n)"],
    ["return", "return 0;"],
    ["return", "return 1;"],
  ]);
});

test("keeps the names of an enumeration's values in its type", async () => {
  const program = await lower(text);
  const type = program.variables.find(({ name }) => name === "s")!.type;
  expect(type).toMatchObject({
    kind: "int",
    enumerators: [
      { name: "IDLE", value: 0n },
      { name: "BUSY", value: 5n },
    ],
  });
});
