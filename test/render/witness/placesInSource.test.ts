import { describe, expect, it } from "vitest";
import { lineOf } from "../../../src/base/sourceFile.ts";
import { outlineTree } from "../../../src/c/outline.ts";
import { placesInSource } from "../../../src/render/witness/placesInSource.ts";
import { parseText } from "../../c/parse/parseText.ts";

const text = `\
#define TWICE(x) do { x; x; } while (0)
int g, *h = 0;
struct S { int member; };
/* while (comment) { */
static int f(int a, char b[3]) {
  int x = a + 1, y[2] = {1, f(2, 0)};
  if (x > 0) g = x / 0;
  else while (x < a) x++;
  for (int i = 0, j = 1; i < j; i++) {
    int inside = i;
    do {
      x = inside ? 1 : f((3), "}");
    } while (x != 0);
  }
again:
  switch (x) {
    case 1: x = 2; break;
    default: return f(
        x, 0);
  }
  return __VERIFIER_nondet_int() + x;
}
`;
const outline = placesIn(text);
const lines = text.split("\n");

function placesIn(source: string) {
  return placesInSource(
    outlineTree(parseText(source), (_, line) => lineOf({ text: source }, line) ?? "").get("test.c")!,
  );
}

/** The place of `fragment` in a line. */
function at(line: number, fragment: string) {
  const column = lines[line - 1]!.indexOf(fragment) + 1;
  if (column === 0) throw new Error(`no ${fragment} in line ${line}`);
  return { line, column };
}

describe("placesInSource", () => {
  it("finds the statement or full expression that a place is in", () => {
    const start = (line: number, fragment: string) => outline.statementStart(at(line, fragment));
    expect(start(6, "a + 1")).toEqual(at(6, "int"));
    expect(start(6, "f(2")).toEqual(at(6, "int"));
    expect(start(7, "0)")).toEqual(at(7, "x > 0"));
    expect(start(7, "x / 0")).toEqual(at(7, "g ="));
    expect(start(8, "a)")).toEqual(at(8, "x <"));
    expect(start(8, "x++")).toEqual(at(8, "x++"));
    expect(start(9, "1;")).toEqual(at(9, "int i"));
    expect(start(9, "j;")).toEqual(at(9, "i < j"));
    expect(start(9, "++")).toEqual(at(9, "i++"));
    expect(start(12, "(3)")).toEqual(at(12, "x ="));
    expect(start(13, "!=")).toEqual(at(13, "x !="));
    expect(start(17, "2;")).toEqual(at(17, "x = 2"));
    expect(start(19, "x, 0")).toEqual(at(18, "return"));
    expect(outline.statementStart({ line: 99, column: 1 })).toBeNull();
  });

  it("knows where nothing was evaluated before in the statement", () => {
    const begins = (line: number, fragment: string) => outline.beginsStatement(at(line, fragment));
    expect(begins(6, "int")).toBe(true);
    expect(begins(6, "x =")).toBe(true);
    expect(begins(6, "y[2]")).toBe(false);
    expect(begins(7, "g =")).toBe(true);
    expect(begins(7, "x / 0")).toBe(false);
    expect(begins(8, "x++")).toBe(true);
    expect(begins(9, "i++")).toBe(false);
    expect(begins(7, "x > 0")).toBe(false);
    expect(begins(17, "x = 2")).toBe(true);
    expect(begins(18, "return")).toBe(true);
    expect(begins(19, "x, 0")).toBe(false);
  });

  it("finds the loop that a condition or keyword belongs to", () => {
    expect(outline.loopHead(at(8, "x <"))).toEqual({ ...at(8, "while"), keyword: "while" });
    expect(outline.loopHead(at(9, "i < j"))).toEqual({ ...at(9, "for"), keyword: "for" });
    expect(outline.loopHead(at(9, "for"))).toEqual({ ...at(9, "for"), keyword: "for" });
    expect(outline.loopHead(at(13, "x != 0"))).toEqual({ ...at(11, "do"), keyword: "do" });
    expect(outline.loopHead(at(11, "do"))).toEqual({ ...at(11, "do"), keyword: "do" });
    expect(outline.loopHead(at(7, "x > 0"))).toBeNull();
    expect(outline.loopHead(at(12, "x ="))).toBeNull();
  });

  it("knows what is in scope", () => {
    const visible = (line: number, fragment: string) =>
      ["g", "h", "a", "b", "x", "y", "i", "j", "inside", "member", "f"].filter((name) =>
        outline.inScope(at(line, fragment), name),
      );
    expect(visible(6, "int")).toEqual(["g", "h", "a", "b"]);
    expect(visible(9, "for")).toEqual(["g", "h", "a", "b", "x", "y"]);
    expect(visible(10, "int")).toEqual(["g", "h", "a", "b", "x", "y", "i", "j"]);
    expect(visible(12, "x =")).toEqual(["g", "h", "a", "b", "x", "y", "i", "j", "inside"]);
    expect(visible(21, "return")).toEqual(["g", "h", "a", "b", "x", "y"]);
    const shadowed = placesIn("int x;\nvoid f(void) {\n  int x = 1;\n  x = 2;\n}\nvoid g(void) {\n  x = 3;\n}\n");
    expect(shadowed.inScope({ line: 4, column: 3 }, "x")).toBe(false);
    expect(shadowed.inScope({ line: 7, column: 3 }, "x")).toBe(true);
  });

  it("finds the end of a call and a call by its name", () => {
    expect(outline.endOfCall(at(21, "__VERIFIER"), "__VERIFIER_nondet_int")).toEqual(at(21, ") + x"));
    expect(outline.endOfCall(at(21, "return"), "__VERIFIER_nondet_int")).toEqual(at(21, ") + x"));
    expect(outline.endOfCall(at(18, "return"), "f")).toEqual(at(19, ");"));
    expect(outline.endOfCall(at(17, "x = 2"), "f")).toBeNull();
    const program = placesIn("void reach_error(void) { abort(); }\nvoid a(int c) {\n  if (!c) { reach_error(); }\n}\n");
    expect(program.callStatement("reach_error")).toEqual({ line: 3, column: 13 });
    expect(program.callStatement("exit")).toBeNull();
  });

  it("finds the end of a call in parentheses, and calls that a macro hides", () => {
    const source = "int f(int);\n#define CALL f(2)\nint g(void) {\n  int x = ( (f(1) ) );\n  return CALL;\n}\n";
    const places = placesIn(source);
    expect(places.endOfCall({ line: 4, column: 3 }, "f")).toEqual({ line: 4, column: 17 });
    expect(places.callsIn({ line: 5, column: 3 })).toEqual(["f"]);
  });
});
