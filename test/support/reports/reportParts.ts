import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lineOf } from "../../../src/base/sourceFile.ts";
import type { SourceRange } from "../../../src/base/sourceRange.ts";
import { outlineTree, type SourceOutline } from "../../../src/c/outline.ts";
import type { Formula } from "../../../src/commands/common/result.ts";
import { checkedProof } from "../../../src/proof/checkObligations.ts";
import { parseText } from "../../c/parse/parseText.ts";
import { root } from "../builtCli.ts";

export const checkedClaim = {
  status: "checked",
  ...checkedProof({ obligations: [], verdicts: [], checked: true, interrupted: false, checker: "z3" })!,
} as const;

/** Reports as the analyses give them, written by hand for programs of this repository. */

const folders: Readonly<Record<string, string>> = {
  "unit_foo.c": "test/fixtures/cbmc",
  "shell3.c": "test/fixtures/cbmc",
  "two-counters.c": "examples/folding",
  "nested.c": "examples/folding",
};

export function sourceOf(path: string): string | null {
  const folder = folders[path];
  return folder === undefined ? null : readFileSync(join(root, folder, path), "utf8");
}

/** The outline of a text that can stand alone. */
export function outlineOf(path: string, source = sourceOf): SourceOutline | null {
  const text = source(path);
  return text === null
    ? null
    : (outlineTree(parseText(text), (_, line) => lineOf({ text }, line) ?? "").get("test.c") ?? null);
}

/** The place of `fragment` in a line; its last occurrence. */
export function at(file: string, line: number, fragment: string): SourceRange {
  const column = sourceOf(file)!.split("\n")[line - 1]!.lastIndexOf(fragment) + 1;
  if (column === 0) throw new Error(`${file}:${line} has no ${fragment}`);
  return { file, line, column, endLine: line, endColumn: column + fragment.length };
}

/** A formula that C can say as it stands, unless told. */
export function formula(text: string, c: string | null = text): Formula {
  const names = [...new Set(text.match(/[A-Za-z_]\w*/g))];
  const variables = names.map((name) => ({ symbol: name, text: name, name, declared: null }));
  return { text, tight: !/ \|\| | \? |^forall/.test(text), term: text, c, variables };
}

export function formulas(...texts: readonly string[]): readonly Formula[] {
  return texts.map((text) => formula(text));
}

export function common(file: string, entry: string) {
  const sha256 = createHash("sha256").update(sourceOf(file)!).digest("hex");
  return {
    schema: 3,
    tool: { name: "tracefold", version: "0.1.0" },
    status: "ok",
    program: { files: [{ path: file, sha256 }], entry },
    notes: [],
    stats: { ms: 120, solver: { queries: 31, ms: 48 } },
    unknowns: [],
  } as const;
}
