import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import type { DataModelName } from "../../../src/ir/type.ts";
import { hasTool } from "../../support/tools.ts";

/** A struct definition without its name, and the ways to its members. */
type Shape = { readonly text: string; readonly members: readonly string[] };
type Piece = (name: string) => Shape;

const scalars = ["char", "unsigned char", "short", "int", "unsigned", "long", "long long", "float", "double", "char *"];

const plain = fc.record({
  type: fc.constantFrom(...scalars, "_Bool"),
  align: fc.constantFrom(0, 0, 0, 2, 16),
  length: fc.constantFrom(0, 0, 3),
});
const bits = fc.record({
  type: fc.constantFrom(...scalars.slice(0, 7)),
  width: fc.integer({ min: 0, max: 40 }),
  named: fc.boolean(),
});
const widths: Readonly<Record<string, number>> = { char: 8, "unsigned char": 8, short: 16, "long long": 64 };

const piece: fc.Memo<Piece> = fc.memo((depth) =>
  fc.oneof(
    { weight: 4, arbitrary: plain.map(plainMember) },
    { weight: 3, arbitrary: bits.map(bitMember) },
    ...(depth > 1 ? [{ weight: 1, arbitrary: shape(depth - 1).map(nestedMember) }] : []),
  ),
);

function plainMember({ type, align, length }: { type: string; align: number; length: number }): Piece {
  return (name) => ({
    text: `${type} ${name}${length > 0 ? `[${length}]` : ""}${align > 0 ? ` __attribute__((aligned(${align})))` : ""};`,
    members: [name],
  });
}

function bitMember({ type, width, named }: { type: string; width: number; named: boolean }): Piece {
  const fitting = Math.min(width, widths[type] ?? 32);
  return (name) => ({ text: `${type} ${named && fitting > 0 ? name : ""}:${fitting};`, members: [] });
}

function nestedMember(inner: Shape): Piece {
  return (name) => ({ text: `${inner.text} ${name};`, members: [name, ...inner.members.map((m) => `${name}.${m}`)] });
}

function shape(depth: number): fc.Arbitrary<Shape> {
  return fc
    .record({
      word: fc.constantFrom("struct", "struct", "struct", "union"),
      packed: fc.constantFrom(false, false, false, true),
      pieces: fc.array(piece(depth), { minLength: 1, maxLength: 6 }),
    })
    .map(({ word, packed, pieces }) => {
      const members = pieces.map((make, i) => make(`m${i}`));
      const text = `${word} { ${members.map((m) => m.text).join(" ")} char last; }${packed ? " __attribute__((packed))" : ""}`;
      return { text, members: [...members.flatMap((m) => m.members), "last"] };
    });
}

/** The sizes and offsets that we compute, as assertions for gcc to check at compile time. */
async function assertions(shapes: readonly Shape[], dataModel: DataModelName): Promise<string> {
  const definitions = shapes.map(({ text }, i) => `typedef ${text} t${i};`).join("\n");
  const expressions = shapes.flatMap(({ members }, i) => [
    `sizeof(t${i})`,
    `_Alignof(t${i})`,
    ...members.map((member) => `__builtin_offsetof(t${i}, ${member})`),
  ]);
  const prints = expressions.map((e) => `  printf("%d\\n", (int)${e});`).join("\n");
  const text = `int printf(const char *, ...);\n${definitions}\nint main(void) {\n${prints}\n  return 0;\n}\n`;
  const program = await loadCText("layout.c", text, { dataModel, preprocess: "builtin" });
  const values = Buffer.from(runProgram(program).stdout).toString().trim().split("\n");
  const checks = expressions.map((e, i) => `_Static_assert(${e} == ${values[i]}, "${e} is not ${values[i]}");`);
  return `${definitions}\n${checks.join("\n")}\n`;
}

function compileProblem(text: string, option: "-m32" | "-m64"): string {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-layout-"));
  try {
    writeFileSync(join(folder, "layout.c"), text);
    const run = spawnSync("gcc", [option, "-w", "-fsyntax-only", "layout.c"], { cwd: folder });
    return run.status === 0 ? "" : `${run.stderr}\n${text}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(!hasTool("gcc"))("structs are laid out as gcc does", () => {
  test.each([
    ["LP64", "-m64"],
    ["ILP32", "-m32"],
  ] as const)("%s", async (model, option) => {
    await fc.assert(
      fc.asyncProperty(fc.array(shape(3), { minLength: 8, maxLength: 8 }), async (shapes) => {
        expect(compileProblem(await assertions(shapes, model), option)).toBe("");
      }),
      { numRuns: 15, seed: 7 },
    );
  });
});
