import type { ExternalItem, InitDeclarator } from "../../src/c/ast.ts";
import { parseC } from "../../src/c/parse/parseC.ts";
import { preprocess } from "../../src/c/preprocess/preprocess.ts";

/** A file of a program that was taken apart; line `n` of its text is line `lines[n - 1]` of the whole (0: new). */
export type SplitFile = { readonly path: string; readonly text: string; readonly lines: readonly number[] };

export type SplitProgram = { readonly files: readonly SplitFile[]; readonly header: SplitFile };

type Part = {
  readonly name: string;
  readonly lines: readonly string[];
  readonly first: number;
  /** What another file has to say to use it. */
  readonly declaration: string;
};

/**
 * A program of one file as several: what `place` says goes to which. Types and what is only declared go to a header. What
 * other files mention loses its `static` and is declared in the header; the rest keeps it.
 */
export async function splitProgram(
  text: string,
  count: number,
  place: (name: string) => number,
): Promise<SplitProgram> {
  const source = preprocess({ path: "program.c", text }, { dataModel: "LP64", mode: "builtin", readFile: () => null });
  const { items } = parseC(source);
  const lines = text.split("\n");
  const own = items.filter(({ range }) => range.file === "program.c");
  const parts = own.flatMap((item) => partOf(item, lines) ?? []);
  const taken = new Set(parts.flatMap(({ first, lines: part }) => part.map((_, i) => first + i)));
  for (const { range } of own) {
    const prototype = /(\w+)\(.*\);$/.exec(lines[range.line - 1]!);
    if (parts.some(({ name }) => name === prototype?.[1])) taken.add(range.line);
  }
  const shared = parts.filter((part) => isMentionedElsewhere(part, parts, place));
  const header: Writer = newWriter();
  for (const [i, line] of lines.entries()) if (!taken.has(i + 1)) header.add(line, i + 1);
  for (const { declaration } of shared) header.add(declaration, 0);
  const files = Array.from({ length: count }, (_, k) => {
    const writer = newWriter();
    writer.add('#include "program.h"', 0);
    for (const part of parts.filter(({ name }) => place(name) === k)) {
      // Behind one another in whatever order, so what only this file has is declared first.
      const isOwn = !shared.includes(part) && part.name !== "main";
      if (isOwn && !part.declaration.startsWith("extern")) writer.add(`static ${part.declaration}`, 0);
    }
    for (const part of parts.filter(({ name }) => place(name) === k)) {
      const isShared = shared.includes(part);
      part.lines.forEach((line, i) => {
        const plain = i === 0 ? line.replace(/^static /, "") : line;
        writer.add(i === 0 && !isShared && part.name !== "main" ? `static ${plain}` : plain, part.first + i);
      });
    }
    return writer.finish(`part${k}.c`);
  });
  return { files, header: header.finish("program.h") };
}

/** A function or variable that is defined; null for types and mere declarations, which the header has. */
function partOf(item: ExternalItem, all: readonly string[]): Part | null {
  const { range } = item;
  const lines = all.slice(range.line - 1, range.endLine);
  const text = lines.join("\n").replace(/^static /, "");
  if (item.kind === "functionDefinition") {
    const head = text.slice(0, text.indexOf("{")).trim();
    const name = /(\w+)\(/.exec(head)![1]!;
    // `int o(x, y) int x; unsigned y;` says nothing about its parameters to other files.
    const declaration = head.includes(";") ? `${head.slice(0, head.indexOf("("))}();` : `${head};`;
    return { name, lines, first: range.line, declaration };
  }
  if (item.kind !== "declaration" || item.declarators.length === 0 || item.specifiers.storage === "typedef")
    return null;
  const [{ declarator, initializer }] = item.declarators as [InitDeclarator];
  const isPrototype = initializer === null && declarator.kind === "function" && declarator.of.kind === "name";
  if (item.specifiers.storage === "extern" || isPrototype) return null;
  const head = text.replace(/\s*(=[\s\S]*)?;\s*$/, "");
  const name = /(\w+)(\[.*|\)\(.*)?$/.exec(head)![1]!;
  return { name, lines, first: range.line, declaration: `extern ${head};` };
}

function isMentionedElsewhere(part: Part, parts: readonly Part[], place: (name: string) => number): boolean {
  const word = new RegExp(`\\b${part.name}\\b`);
  return parts.some((other) => place(other.name) !== place(part.name) && word.test(other.lines.join("\n")));
}

type Writer = { add(line: string, from: number): void; finish(path: string): SplitFile };

function newWriter(): Writer {
  const text: string[] = [];
  const lines: number[] = [];
  return {
    add: (line, from) => {
      text.push(line);
      lines.push(from);
    },
    finish: (path) => ({ path, text: `${text.join("\n")}\n`, lines }),
  };
}
