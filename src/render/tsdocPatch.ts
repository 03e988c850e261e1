import { nth, present } from "../base/checked.ts";
import type { InferReport, ReportedFunction } from "../commands/infer/result.ts";
import { statementsOf } from "../commands/infer/statements.ts";

const context = 3;

/** Lines to insert before a line of a file; `at` counts from 0. */
type Insertion = { readonly at: number; readonly lines: readonly string[] };

/**
 * A patch (`git apply`) that documents functions: `@requires`, `@ensures` and `@throws` in an existing or new comment.
 * `read` returns a file's text, null if it cannot be read.
 */
export function tsdocPatch({ functions }: InferReport, read: (file: string) => string | null): string {
  const files = [...new Set(functions.map(({ file }) => file))];
  return files
    .map((file) => {
      const text = read(file);
      const own = functions.filter(
        (one) => one.file === file && one.name.split(".").length <= (one.className === null ? 1 : 2),
      );
      return text === null ? "" : filePatch(file, text.split("\n"), own);
    })
    .join("");
}

function filePatch(file: string, lines: readonly string[], functions: readonly ReportedFunction[]): string {
  const insertions = functions
    .flatMap((one) => insertionFor(one, lines))
    .sort((a, b) => a.at - b.at)
    .filter(({ at }, i, all) => i === 0 || nth(all, i - 1).at !== at);
  if (insertions.length === 0) return "";
  return `--- a/${file}\n+++ b/${file}\n${hunks(insertions, lines).join("")}`;
}

function insertionFor(one: ReportedFunction, lines: readonly string[]): readonly Insertion[] {
  const tags = tagsOf(one);
  const at = one.line - 1;
  const target = lines[at];
  if (tags.length === 0 || target === undefined) return [];
  const indent = /^\s*/.exec(target)![0];
  const above = lines[at - 1]?.trim();
  if (above === "*/") return [{ at: at - 1, lines: tags.map((tag) => `${indent} * ${tag}`) }];
  // A new comment must not separate a one-line comment or a decorator from its function.
  if (above !== undefined && (/^\/\*\*.*\*\/$/.test(above) || above.startsWith("@"))) return [];
  return [{ at, lines: [`${indent}/**`, ...tags.map((tag) => `${indent} * ${tag}`), `${indent} */`] }];
}

/** Incomplete cases are not documented. */
function tagsOf(one: ReportedFunction): readonly string[] {
  const whole = { ...one, cases: one.cases.filter(({ partial, effects }) => !partial && effects.length > 0) };
  return statementsOf(whole)
    .filter((line) => /^(requires|ensures|throws) /.test(line))
    .map((line) => `@${line.replaceAll("*/", "*\\/")}`);
}

function hunks(insertions: readonly Insertion[], lines: readonly string[]): readonly string[] {
  const groups: Insertion[][] = [];
  for (const one of insertions) {
    const last = groups.at(-1);
    if (last !== undefined && one.at - present(last.at(-1)).at <= 2 * context) last.push(one);
    else groups.push([one]);
  }
  let shift = 0;
  return groups.map((group) => {
    const from = Math.max(0, nth(group, 0).at - context);
    const to = Math.min(lines.length, present(group.at(-1)).at + context);
    const body: string[] = [];
    for (let at = from; at <= to; at++) {
      for (const { lines: added } of group.filter((one) => one.at === at))
        body.push(...added.map((line) => `+${line}`));
      if (at < to) body.push(` ${lines[at]}`);
    }
    const added = group.reduce((sum, one) => sum + one.lines.length, 0);
    const head = `@@ -${from + 1},${to - from} +${from + 1 + shift},${to - from + added} @@\n`;
    shift += added;
    return `${head}${body.join("\n")}\n`;
  });
}
