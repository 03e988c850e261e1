import { at } from "./expressions.ts";
import type { Builder } from "./scope.ts";
import { type Context, indent, selector, statements } from "./statements.ts";

/** Cases in any order, fall-through, ranges, a default anywhere or nowhere, a label inside a nested block. */
export function switchStatement(b: Builder, context: Context): string[] {
  const { choices } = b;
  const inner = { ...context, depth: context.depth - 1, canBreak: true };
  const values = shuffledCases(b);
  const defaultAt = choices.chance(70) ? choices.pick(values.length + 1) : -1;
  const lines: string[] = [];
  for (let i = 0; i <= values.length; i++) {
    if (i === defaultAt) lines.push("default:", ...arm(b, inner));
    const value = values[i];
    if (value === undefined) continue;
    lines.push(`case ${value}:`);
    if (choices.chance(15)) continue;
    lines.push(...(choices.chance(12) && i + 1 < values.length ? nestedLabel(b, inner, values[++i]!) : arm(b, inner)));
  }
  return [`switch (${at(1, selector(b, 6))}) {`, ...lines, "  ;", "}"];
}

function shuffledCases(b: Builder): string[] {
  const pool = ["0", "1", "2", "3", "4", "5", "-1", "6 ... 8", "'a'", "(1 << 4)"];
  const count = 1 + b.choices.pick(5);
  const values: string[] = [];
  for (let i = 0; i < count; i++) values.push(...pool.splice(b.choices.pick(Math.min(pool.length, 7)), 1));
  return values;
}

function arm(b: Builder, context: Context): string[] {
  const body = indent(statements(b, context, 2));
  return b.choices.chance(60) ? [...body, "  break;"] : [...body, "  ;"];
}

/** `case v:` inside a block that is also entered from above. */
function nestedLabel(b: Builder, context: Context, value: string): string[] {
  const before = statements(b, context, 1);
  const after = statements(b, { ...context, canBreak: true }, 1);
  return ["  do {", ...indent(indent(before)), `  case ${value}:`, ...indent(indent(after)), "    ;", "  } while (0);"];
}
