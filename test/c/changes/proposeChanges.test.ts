import { expect, test } from "vitest";
import { cChanges } from "../../../src/c/cFrontEnd.ts";
import { applyEdits } from "../../../src/changes/change.ts";
import type { ChangeKind } from "../../../src/changes/kinds.ts";
import type { ProposeOptions } from "../../../src/frontEnd/frontEnd.ts";
import { projectOf } from "../../../src/frontEnd/project.ts";

/** The bodies of `main` that changes of one kind make of a body. */
function changed(body: string, kind: ChangeKind, options: Partial<ProposeOptions> = {}): readonly string[] {
  const text = `#include <stdio.h>\nint main(void) {\n${body}\n}\n`;
  const frontEnd = cChanges({ preprocess: "builtin" });
  return frontEnd
    .propose(projectOf([{ path: "a.c", text }]), { executed: () => true, ...options })
    .filter((change) => change.kind === kind)
    .map(({ edits }) => applyEdits(text, edits).split("\n").slice(2, -2).join("\n"));
}

test("a word that is printed wrongly is replaced by the expected one", () => {
  const wrongWord = { printed: "Alread", expected: "Already" };
  expect(changed('puts("Alread on");', "expectedWord", { wrongWord })).toEqual(['puts("Already on");']);
  const quoted = { printed: "on", expected: '"%d"' };
  expect(changed('puts("Alread on");', "expectedWord", { wrongWord: quoted })).toEqual([]);
});

test("a number that is expected is not printed as a text", () => {
  const body = 'puts("-1");';
  expect(changed(body, "expectedWord", { wrongWord: { printed: "-1", expected: "848" } })).toEqual([]);
  expect(changed('puts("1");', "expectedWord", { wrongWord: { printed: "1", expected: "-1" } })).toEqual([
    'puts("-1");',
  ]);
});

test("a branch that prints gets an else that prints what is expected", () => {
  const body = 'int n = 1; if (n > 1) printf("%d", n);';
  expect(changed(body, "insertedElse", { expectedWords: ["-1"] })).toEqual([`${body} else printf("-1");`]);
});

test("letters become numbers and other letters", () => {
  const body = 'char s[] = "ab", c; c = s[0]; return c;';
  expect(changed(body, "characterOffset")).toContain('char s[] = "ab", c; c = s[0] - 32; return c;');
  expect(changed("int n = 0, m; m = n;", "characterOffset")).toEqual([]);
});

test("all arguments of an input get an address together", () => {
  const body = 'int h, m; scanf("%d %d", h, m);';
  expect(changed(body, "addressOf")).toContain('int h, m; scanf("%d %d", &h, &m);');
});

test("all messages change their case together", () => {
  const body = 'puts("YES"); puts("NO");';
  expect(changed(body, "otherText")).toContain('puts("Yes"); puts("No");');
});

test("numbers of an input may be separated by something else than blanks", () => {
  const body = 'int h, m; scanf("%d %d", &h, &m);';
  expect(changed(body, "format")).toContain('int h, m; scanf("%d:%d", &h, &m);');
});

test("both ends of a loop's range change together", () => {
  const body = "int n = 5, m = 4; for (int i = 1; i <= n; i++) n--;";
  expect(changed(body, "otherRange")).toContain("int n = 5, m = 4; for (int i = 2; i <= m; i++) n--;");
});

test("a statement without effect becomes an assignment", () => {
  const body = "int i = 0;\ni++;\ni + 2;\nreturn i;";
  const executed: ProposeOptions["executed"] = ({ line, endLine }) => line !== 5 || endLine !== 5;
  expect(changed(body, "equalsOrAssigns", { executed })).toContain("int i = 0;\ni++;\ni += 2;\nreturn i;");
});

test("a comment that is a statement becomes one again", () => {
  const body = "int i = 0;\n// i = 2;\n/* a remark */\nreturn i; /* i++; */";
  expect(changed(body, "restoredComment")).toEqual([
    "int i = 0;\ni = 2;\n/* a remark */\nreturn i; /* i++; */",
    "int i = 0;\n// i = 2;\n/* a remark */\nreturn i; i++;",
  ]);
});

test("values are limited, combined, and taken from arrays", () => {
  const body = "int a[2] = {0, 1}, n = 2, i = 0; n = 3 - i; return n + 1;";
  const lines = (kind: ChangeKind) => changed(body, kind).join("\n");
  expect(lines("clamped")).toContain("n = ((3 - i) < 0 ? 0 : (3 - i));");
  expect(lines("insertedCombination")).toContain("n %= i;");
  expect(lines("elementForConstant")).toContain("return n + a[i];");
  expect(lines("addedTerm")).not.toMatch(/\bn - n\b|\bn \/ n\b/);
});

test("an edit that repeats after the same tokens is made at those places alone", () => {
  const body = "int n = 3, k = 1; return (n - 1) * (n - 1) + (k - 1);";
  expect(changed(body, "constantByOne")).toContain("int n = 3, k = 1; return (n - 2) * (n - 2) + (k - 1);");
});

test("what a branch writes may be reset in the other case", () => {
  const body = "int a = 1, b = 0;\nif (a > 1) { b = 2; }\nreturn b;";
  expect(changed(body, "insertedElse")).toContain("int a = 1, b = 0;\nif (a > 1) { b = 2; } else b = 0;\nreturn b;");
});

test("indices instead of elements, remainders instead of equality", () => {
  const body = "int a[2] = {0, 1}, i = 0, j = 1; if (a[i] != a[j]) return 1; return i == j;";
  expect(changed(body, "indexForElement").join("\n")).toContain("if (i != j)");
  expect(changed(body, "divisible").join("\n")).toContain("return i % j == 0;");
});

test("a larger array has room for more than one further element", () => {
  expect(changed("char s[21]; return sizeof s;", "arraySize")[0]).toBe("char s[210]; return sizeof s;");
});

test("words around a printed value may be too many", () => {
  expect(changed('printf("ans = %d", 3);', "format")).toContain('printf("%d", 3);');
});

test("macros that are numbers are other constants", () => {
  const text = "#define MOD 1000\nint main(void) {\nint n = 3;\nreturn n + 7;\n}\n";
  const texts = cChanges({ preprocess: "builtin" })
    .propose(projectOf([{ path: "a.c", text }]), { executed: () => true })
    .map(({ edits }) => applyEdits(text, edits));
  expect(texts.some((each) => each.includes("return n + MOD;"))).toBe(true);
  expect(texts.some((each) => each.includes("return (n + 7) % MOD;"))).toBe(true);
});

test("entries of a long table get few changes", () => {
  const entries = Array.from({ length: 40 }, (_, i) => i * i);
  const body = `int t[] = {${entries.join(", ")}}; return t[3];`;
  expect(changed(body, "initialValue").length).toBeLessThan(80);
  expect(changed(body, "scaledConstant").length).toBeLessThan(10);
});

test("static variables start with constants only", () => {
  const body = "int n = 2; static int t[] = {1, 5}; return t[n];";
  const all = ["variableForConstant", "otherExpression", "addedTerm"] as const;
  expect(all.flatMap((kind) => changed(body, kind)).filter((each) => /static[^;]*\bn\b/.test(each))).toEqual([]);
});

test("a function is left with what its type allows", () => {
  const text = `struct node { int key; struct node *next; };
struct node *find(struct node *list, int key) {
  while (list != 0 && list->key != key) list = list->next;
  return list;
}
struct node copy(struct node *list) { struct node own = *list; own.next = 0; return own; }
int main(void) { struct node one = {1, 0}; return find(&one, 1) == 0 || copy(&one).key; }
`;
  const returns = cChanges({ preprocess: "builtin" })
    .propose(projectOf([{ path: "a.c", text }]), { executed: () => true })
    .filter(({ kind }) => kind === "insertedJump")
    .map(({ edits, lines }) => `${lines[0]}: ${edits.map((edit) => edit.text.trim()).join("")}`);
  const ofFind = returns.filter((each) => /^[23]: .*return/.test(each)).map((each) => each.replace(/^.*?: /, ""));
  expect(ofFind.filter((each) => each.includes("return 0"))).not.toEqual([]);
  expect(ofFind.filter((each) => /return (1|key)\b/.test(each))).toEqual([]);
  expect(returns.filter((each) => /^6: .*return [01]/.test(each))).toEqual([]);
});
