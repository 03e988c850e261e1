import type { Expr } from "../../../src/c/ast.ts";
import { anywhere, type EditKind, onLine } from "../forbiddenEdits.ts";
import { addChange, type Site } from "../site.ts";
import { isComparison } from "./operators.ts";

/** A number one more, one less, zero or doubled; the next character; another constant of the same `enum`. */
export function mutateConstants(site: Site, expr: Expr, parent: Expr | null): void {
  const start = site.source.startOf(expr.range);
  const end = site.source.endOf(expr.range);
  // An assigned, returned or passed constant is also undone by another value there, one that is compared with by `<=` for `<`.
  const same: readonly EditKind[] = isComparison(parent) ? ["value", "index", "comparison"] : ["value", "index"];
  const forbidden = [...anywhere("constant"), ...onLine(expr.range.line, ...same)];
  for (const replacement of others(site, expr)) {
    addChange(site, { kind: "constant", start, end, replacement, forbidden });
  }
}

function others(site: Site, expr: Expr): readonly string[] {
  const text = site.source.at(expr.range);
  switch (expr.kind) {
    case "number":
      return text === expr.text ? otherNumbers(text) : [];
    case "character":
      return otherCharacters(text);
    case "identifier":
      if (text !== expr.name) return [];
      return site.types.enums.flatMap((names) =>
        names.includes(expr.name) ? names.filter((name) => name !== expr.name) : [],
      );
    default:
      return [];
  }
}

export function otherNumbers(text: string): readonly string[] {
  const hex = /^0x([0-9a-f]+)([ul]*)$/i.exec(text);
  if (hex !== null) {
    const value = BigInt(text.slice(0, text.length - hex[2]!.length));
    return [value + 1n, value - 1n].filter((v) => v >= 0n).map((v) => `0x${v.toString(16).toUpperCase()}${hex[2]}`);
  }
  const decimal = /^(\d+)([ul]*)$/i.exec(text);
  if (decimal !== null) {
    const value = BigInt(decimal[1]!);
    const values = new Set([value + 1n, value - 1n, 0n, value * 2n]);
    return [...values].filter((v) => v >= 0n && v !== value).map((v) => `${v}${decimal[2]}`);
  }
  const real = /^(\d+\.\d*)(f?)$/.exec(text);
  if (real !== null) {
    const value = Number(real[1]);
    const values = new Set([value + 1, 0, value * 2]);
    return [...values].filter((v) => v !== value).map((v) => `${v.toFixed(1)}${real[2]}`);
  }
  return [];
}

function otherCharacters(text: string): readonly string[] {
  if (text === "'\\0'") return ["'0'"];
  const plain = /^'([^\\'])'$/.exec(text);
  if (plain === null) return [];
  const next = String.fromCharCode(plain[1]!.charCodeAt(0) + 1);
  return next === "'" || next === "\\" ? [] : [`'${next}'`];
}
