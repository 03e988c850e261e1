import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SourceRange } from "../../src/base/sourceRange.ts";
import type { Explanation, ShownValue } from "../../src/commands/explain/result.ts";
import { type Row, screenOf } from "../../src/render/chooseRows.ts";

/**
 * Judges the values that an explanation shows without the interpreter, the dependences and the wording that found them: each becomes a comparison in the
 * source, at the statement and for the execution that its row names, and gcc runs the program.
 */
export type ShownValueVerdict = {
  /** Values that the explanation shows, and those of them that became comparisons. */
  readonly shown: number;
  readonly compared: number;
  /** Comparisons that were not reached, or that found another value. */
  readonly wrong: readonly string[];
};

export type CheckOptions = {
  /** The function that was run; else `main`. */
  readonly entry?: string;
  /** What the program takes as given. */
  readonly behind?: string;
};

type Check = { readonly id: number; readonly about: string; readonly condition: string };

/** What is put around one statement. */
type Change = { readonly range: SourceRange; readonly text: string };

export function checkShownValues(
  explanation: Explanation,
  source: string,
  options: CheckOptions = {},
): ShownValueVerdict {
  if (explanation.kind !== "explained") return { shown: 0, compared: 0, wrong: [] };
  const { sections } = screenOf(explanation, { all: true });
  const rows = sections.flatMap((section) => section.rows).filter(({ rounds }) => rounds === null);
  const checks: Check[] = [];
  const changes = [...groupedByPlace(rows).values()].flatMap((group) => changeOf(source, group, checks));
  const shown = rows.reduce((sum, { values, tests }) => sum + values.length + tests.length, 0);
  if (checks.length === 0) return { shown, compared: 0, wrong: [] };
  const printed = runByGcc(
    `${prelude}${withEntry(changed(source, changes), options.entry ?? "main")}${options.behind ?? ""}`,
  );
  const wrong = checks.flatMap(({ id, about }) => {
    if (printed.includes(`<${id} holds>`)) return [];
    return [`${about}: ${printed.includes(`<${id} fails>`) ? "another value" : "not reached"}`];
  });
  return { shown, compared: checks.length, wrong };
}

const prelude = `#include <stdio.h>
#include <string.h>
#define CHECK_(id, holds) fprintf(stderr, (holds) ? "<%d holds>\\n" : "<%d fails>\\n", id)
`;

/** Where a test function is what was run. */
function withEntry(source: string, entry: string): string {
  if (entry === "main") return source;
  return `${source.replace(/\bmain(?=\s*\()/, "main_of_all_")}\nint main(void) { ${entry}(); return 0; }\n`;
}

function groupedByPlace(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const { line, column } = row.location;
    const key = `${line}:${column}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

/** The statement of some rows, with what they say of it. */
function changeOf(source: string, rows: readonly Row[], checks: Check[]): readonly Change[] {
  const { location, text } = rows[0]!;
  const statement = textAt(source, location);
  const counter = `n${location.line}_${location.column}_`;
  const check = (row: Row, about: string, condition: string) => {
    const made = {
      id: checks.length,
      about: `line ${row.location.line}, execution ${row.visit.number}: ${about}`,
      condition,
    };
    checks.push(made);
    return `if (now_ == ${row.visit.number}) CHECK_(${made.id}, ${condition});`;
  };
  const before = (row: Row) =>
    row.values.flatMap((shown) => {
      if (shown.role === "read")
        return comparison(shown.text, shown.value).map((one) => check(row, `${shown.text} is ${shown.value}`, one));
      if (shown.role !== "written" || shown.was === undefined) return [];
      return comparison(shown.text, shown.was).map((one) => check(row, `${shown.text} was ${shown.was}`, one));
    });
  const after = (row: Row, roles: readonly ShownValue["role"][]) =>
    row.values.flatMap((shown) =>
      roles.includes(shown.role)
        ? comparison(shown.text, shown.value).map((one) => check(row, `${shown.text} = ${shown.value}`, one))
        : [],
    );
  const count = `static int ${counter}; int now_ = ++${counter};`;
  if (/^return\b.*;$/s.test(statement)) {
    const value = statement.replace(/^return\s*/, "").replace(/;$/, "");
    const returned = rows.flatMap((row) =>
      row.values.flatMap((shown) =>
        shown.role === "returned"
          ? comparison("result_", shown.value).map((one) => check(row, `returns ${shown.value}`, one))
          : [],
      ),
    );
    if (returned.length === 0) return [];
    return [
      { range: location, text: `{ ${count} __auto_type result_ = (${value}); ${returned.join(" ")} return result_; }` },
    ];
  }
  const condition = /^(?:if|while)\s*\((.*)\)$/s.exec(statement)?.[1];
  if (condition !== undefined) {
    const tested = rows.flatMap((row) => row.tests.flatMap((test) => comparedTest(condition, row, test.text, checks)));
    if (tested.length === 0) return [];
    const word = /^\w+/.exec(statement)![0];
    return [
      {
        range: location,
        text: `${word} (({ static int ${counter}; int now_ = ++${counter}; ${tested.join(" ")} 0; }) || (${condition}))`,
      },
    ];
  }
  if (!/;$/.test(statement) || /^(for|do|case|default|switch|break|continue|goto|assert)\b/.test(statement)) return [];
  const isDeclaration =
    /^(?:(?:const|static|unsigned|signed|struct \w+|enum \w+|int|char|long|short|float|double|size_t|bool|_Bool|\w+_t|[A-Z]\w*)[\s*]+)+\w+\s*(?:=|;|,|\[)/.test(
      statement,
    );
  if (isDeclaration) {
    if (/^static\b/.test(statement)) return [];
    const told = rows.flatMap((row) => after(row, ["written"]));
    return told.length === 0 ? [] : [{ range: location, text: `${statement} { ${count} ${told.join(" ")} }` }];
  }
  const first = rows.flatMap(before);
  const then = rows.flatMap((row) => after(row, ["written"]));
  if (first.length + then.length === 0 || !/^[\w*(+-]/.test(text)) return [];
  return [{ range: location, text: `{ ${count} ${first.join(" ")} ${statement} ${then.join(" ")} }` }];
}

/** `8 > 8 is false` of a condition that is one comparison of things without effects. */
function comparedTest(condition: string, row: Row, told: string, checks: Check[]): readonly string[] {
  const parts = /^([^<>=!&|?]+?)\s*(<=|>=|==|!=|<|>)\s*([^<>=!&|?]+)$/.exec(condition);
  const values = /^(\S+) (<=|>=|==|!=|<|>) (\S+) is (true|false)$/.exec(told);
  if (parts === null || values === null || parts[2] !== values[2]) return [];
  const sides = [comparison(parts[1]!, values[1]!), comparison(parts[3]!, values[3]!)];
  if (sides.some(({ length }) => length === 0)) return [];
  const outcome = `((${condition}) != 0) == ${values[4] === "true" ? 1 : 0}`;
  const id = checks.length;
  const whole = [...sides.flat(), outcome].join(" && ");
  checks.push({ id, about: `line ${row.location.line}, execution ${row.visit.number}: ${told}`, condition: whole });
  return [`if (now_ == ${row.visit.number}) CHECK_(${id}, ${whole});`];
}

/** That a place has a value; none where one of the two is no expression of C, or has effects. */
function comparison(text: string, value: string): readonly string[] {
  const isPlace = /^[\w\s.[\]*&>()'+-]+$/.test(text) && !/\w\s*\(|\+\+|--|^&/.test(text);
  if (!isPlace) return [];
  if (/^"[^…]*"$/.test(value)) return [`strcmp((const char *)(${text}), ${value}) == 0`];
  const literal = value === "true" ? "1" : value === "false" ? "0" : value;
  const isLiteral = /^-?(?:0x[\da-f]+|\d+)$|^-?\d+\.\d+(?:e[+-]?\d+)?$|^'(?:[^'\\]|\\.)'$|^NULL$|^[A-Z][A-Z\d_]*$/.test(
    literal,
  );
  if (!isLiteral) return [];
  if (literal === "NULL") return [`(${text}) == 0`];
  return [`(${text}) == (__typeof__(${text}))(${literal})`];
}

function textAt(source: string, range: SourceRange): string {
  return source.slice(offsetOf(source, range.line, range.column), offsetOf(source, range.endLine, range.endColumn));
}

function offsetOf(source: string, line: number, column: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) at = source.indexOf("\n", at) + 1;
  return at + column - 1;
}

function changed(source: string, changes: readonly Change[]): string {
  let text = source;
  const later = changes.toSorted((a, b) => b.range.line - a.range.line || b.range.column - a.range.column);
  for (const { range, text: replacement } of later) {
    const [from, to] = [offsetOf(source, range.line, range.column), offsetOf(source, range.endLine, range.endColumn)];
    text = text.slice(0, from) + replacement + text.slice(to);
  }
  return text;
}

function runByGcc(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-values-"));
  try {
    writeFileSync(join(folder, "checked.c"), program);
    execFileSync("gcc", ["-w", "-O0", "-o", "checked", "checked.c", "-lm"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const { stderr } = spawnSync("./checked", { cwd: folder, timeout: 10_000, encoding: "utf8" });
    return stderr;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
