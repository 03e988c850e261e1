import type { SourceRange } from "../../../src/base/sourceRange.ts";
import { controlFlowOf } from "../../../src/ir/controlFlow.ts";
import { loopRange, loopsOf } from "../../../src/ir/loops.ts";
import type { Program } from "../../../src/ir/program.ts";
import type { ExplainedCase } from "./explainedRun.ts";
import { parseFormula } from "./formula.ts";
import { formulaAsC } from "./formulaAsC.ts";

/** A program that says where it ends and checks the invariants of its folded loops, for a build by gcc. */
export type InstrumentedClaim = {
  readonly text: string;
  /** The invariants that it checks, by the number that a failed check names. */
  readonly checks: readonly string[];
};

/** The lines stay those of the program. */
export function instrumentClaim(text: string, explained: ExplainedCase | null): InstrumentedClaim {
  const lines = text.split("\n");
  const checks: string[] = [];
  const heads = explained === null ? [] : headsOf(explained);
  // From the end, so that places in front stay where they are.
  for (const { range, isTest, formulas } of heads.toSorted((a, b) => comparePlaces(b.range, a.range))) {
    const calls = formulas.flatMap((printed) => {
      const formula = parseFormula(printed);
      const condition = formula && formulaAsC(formula, (name) => isInScope(lines, range.line - 1, name));
      if (condition === null) return [];
      checks.push(`line ${range.line}: ${printed}`);
      return [`tf_check(${checks.length - 1}, !!(${condition}))`];
    });
    if (calls.length === 0) continue;
    const line = lines[range.line - 1]!;
    const [from, to] = isTest ? [range.column - 1, range.endColumn - 1] : [line.search(/\S/), line.search(/\S/)];
    const inserted = isTest ? `(${calls.join(", ")}, (${line.slice(from, to)}))` : `${calls.join(", ")}; `;
    lines[range.line - 1] = line.slice(0, from) + inserted + line.slice(to);
  }
  return { text: withPlaces(lines.join("\n")), checks };
}

/** Ends that have no place of their own. */
function withPlaces(text: string): string {
  return text.replace(/\b(abort|reach_error)\(\);/g, "{ tf_at(__LINE__); $1(); }");
}

function comparePlaces(a: SourceRange, b: SourceRange): number {
  return a.line - b.line || a.column - b.column;
}

/** Where an invariant is to be checked: before a test, or before the statement of a line. */
type Head = { readonly range: SourceRange; readonly isTest: boolean; readonly formulas: readonly string[] };

/**
 * The heads of loops that the program comes to once, and of the loops inside. What was folded after some rounds holds from
 * there on only, and is left out.
 */
function headsOf({ report, trace: { program } }: ExplainedCase): readonly Head[] {
  const entry = program.functions[program.entry]!;
  const once = report.loops.filter(
    ({ foldedFrom, function: name, location }) =>
      foldedFrom === 0 && name === entry.name && loopAt(program, location)?.depth === 1,
  );
  return once.flatMap(({ location, invariant, inner }) =>
    [{ location, invariant }, ...inner].flatMap((each) =>
      headOf(
        program,
        each.location,
        // The others are claimed of the recorded run alone.
        each.invariant.flatMap(({ text, onlyThisRun }) => (onlyThisRun === true ? [] : [text])),
      ),
    ),
  );
}

/** The loop of the entry function that reports name by a place. */
function loopAt(program: Program, { line, column }: SourceRange) {
  const fn = program.functions[program.entry]!;
  return loopsOf(fn).loops.find((loop) => {
    const range = loopRange(fn, loop);
    return range.line === line && range.column === column;
  });
}

function headOf(program: Program, location: SourceRange, formulas: readonly string[]): Head[] {
  const fn = program.functions[program.entry]!;
  const loop = loopAt(program, location);
  const first = loop && controlFlowOf(fn).outgoing[loop.header]![0];
  if (first === undefined || first.range.line !== first.range.endLine) return [];
  return [{ range: first.range, isTest: first.operation.kind === "assume", formulas }];
}

/** Is a variable declared in front of a line, in a block around it? Blocks are told by their indentation. */
function isInScope(lines: readonly string[], from: number, name: string): boolean {
  const declares = new RegExp(`\\b(int|unsigned|char|short|long|_Bool)\\b[^=();]*\\b${name}\\b`);
  let level = Number.POSITIVE_INFINITY;
  for (let at = from; at >= 0; at--) {
    const indent = lines[at]!.search(/\S/);
    if (indent === -1 || indent > level) continue;
    level = indent;
    // A declaration in the line itself is one in the head of its loop.
    if (declares.test(lines[at]!) && (at < from || /^\s*for\b/.test(lines[at]!))) return true;
  }
  return false;
}
