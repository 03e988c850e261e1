import { Document } from "yaml";
import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Formula } from "../../commands/common/result.ts";
import type { Explanation, LoopResult } from "../../commands/explain/result.ts";
import type { HeadInvariant, VerifyReport } from "../../commands/verify/result.ts";
import { type PlacesInSource, type Position, placesInSource } from "./placesInSource.ts";
import {
  cConjunction,
  namesIn,
  type Witnessed,
  type WitnessOptions,
  withSpecification,
  witnessMetadata,
  yamlOptions,
} from "./witnessMetadata.ts";

/** A loop in the source, with the invariants of its executions: one of the alternatives holds at its head. */
type LoopPlace = {
  readonly location: SourceRange;
  /** What is evaluated first at the loop's head; null if it is not known. */
  readonly begins: SourceRange | null;
  readonly function: string;
  readonly alternatives: readonly (readonly Formula[])[];
  /** Why its invariant does not hold at every arrival; null if it does. */
  readonly obstacle: string | null;
};

/**
 * The invariants of the folded loops as an `invariant_set` of format 2.0, or null if no invariant can be exported. Loops
 * that were folded only after some iterations, or not at all in one of their activations, are left out.
 */
export function toInvariantWitness(report: Explanation, options: WitnessOptions): string | null {
  const { entries, leftOut } = loopInvariants(foldedLoops(report.kind === "explained" ? report.loops : []), options);
  if (entries.length === 0) return null;
  const description = "Invariants proved for the runs that come to each loop in the way of one failing run.";
  return invariantSet(report, withSpecification(report, options), description, entries, leftOut);
}

/**
 * The invariants of a safe verdict as an `invariant_set` of format 2.0; null for any other verdict. A loop in a function
 * that is called from several places has one invariant: the invariant of one of the calls holds.
 */
export function toCorrectnessWitness(report: VerifyReport, options: WitnessOptions): string | null {
  if (report.verdict !== "safe") return null;
  const { entries, leftOut } = loopInvariants(provedHeads(report.invariants), options);
  const claim = report.property === "assert" ? errorCall(report, options) : claims[report.property];
  const specification = `CHECK( init(${report.program.entry}()), LTL(G ${claim}) )`;
  const description =
    report.assumptions.length === 0 ? undefined : "Safe if nothing undefined happens where Tracefold says so.";
  return invariantSet(report, { ...options, specification }, description, entries, leftOut);
}

/** The call that is an error, as the program has it. */
function errorCall({ program }: VerifyReport, { outline }: WitnessOptions): string {
  const calls = new Set(program.files.flatMap(({ path }) => outline(path)?.calls ?? []).map(({ name }) => name));
  const name = ["reach_error", "__VERIFIER_error"].find((known) => calls.has(known));
  return `! call(${name ?? (calls.has("assert") ? "__assert_fail" : "reach_error")}())`;
}

const claims: Record<Exclude<VerifyReport["property"], "assert">, string> = {
  overflow: "! overflow",
  bounds: "valid-deref",
  null: "valid-deref",
  "div-by-zero": "def-behavior",
  uninitialised: "def-behavior",
  all: "def-behavior",
};

/**
 * An invariant must hold whenever the loop's condition is about to be evaluated, and mention only what is in scope there:
 * what the `for` itself declares is. Those of `do` loops and of loops made of `goto` belong to the statement at the head.
 * Everything else is left out, with its reason, which makes the invariant weaker but not wrong: conjuncts over other variables,
 * and what C cannot say.
 */
function loopInvariants(loops: readonly LoopPlace[], options: WitnessOptions) {
  const leftOut: string[] = [];
  const entries = loops.flatMap(({ location, begins, function: name, alternatives, obstacle }) => {
    const { file, line } = location;
    const say = (what: string) => leftOut.push(`${file}:${line}: ${what}`);
    const outline = options.outline(file);
    const places = outline === null ? null : placesInSource(outline);
    const head = places === null ? null : headIn(places, location, begins);
    if (obstacle !== null || places === null || head === null) {
      say(obstacle ?? (places === null ? "the source is not at hand" : "no loop and no statement begins at its head"));
      return [];
    }
    const kept = alternatives.map((conjuncts) =>
      conjuncts.filter((formula) => {
        const problem = problemAt(head, formula);
        if (problem !== null) say(`${formula.text}: ${problem}`);
        return problem === null;
      }),
    );
    const value = disjunction([...new Set(kept.map((formulas) => cConjunction(formulas) ?? "1"))]);
    if (value === "1") return [];
    const at = { file_name: file, line: head.line, column: head.column, function: name };
    return [{ invariant: { type: head.type, location: at, value, format: "c_expression" } }];
  });
  return { entries, leftOut };
}

type WitnessHead = Position & {
  readonly type: "loop_invariant" | "location_invariant";
  isInScope(name: string): boolean;
};

/** The keyword of a `for` or `while`; at the head of another loop, the statement that begins there: of a `do` loop the first of its body. */
function headIn(places: PlacesInSource, location: SourceRange, begins: SourceRange | null): WitnessHead | null {
  const head = places.loopHead(location);
  if (head !== null && head.keyword !== "do") {
    return { ...head, type: "loop_invariant", isInScope: (name) => places.inScopeAtHead(head, name) };
  }
  const start = begins === null ? null : places.statementBegunAt(begins);
  if (start === null) return null;
  return { ...start, type: "location_invariant", isInScope: (name) => places.inScope(start, name) };
}

/** Why a formula cannot be written at a loop's head; null if it can. */
function problemAt(head: WitnessHead, formula: Formula): string | null {
  if (formula.c === null) return "not an expression of C";
  const foreign = namesIn([formula]).find((name) => !head.isInScope(name));
  if (foreign !== undefined) return `no single ${foreign} is in scope at the loop's head`;
  return formula.onlyThisRun ? "holds on this run only" : null;
}

function disjunction(alternatives: readonly string[]): string {
  if (alternatives.includes("1")) return "1";
  return alternatives.length === 1 ? nth(alternatives, 0) : alternatives.map((text) => `(${text})`).join(" || ");
}

function invariantSet(
  report: Witnessed,
  options: Parameters<typeof witnessMetadata>[2],
  description: string | undefined,
  content: readonly object[],
  leftOut: readonly string[],
): string {
  const metadata = witnessMetadata(report, "invariant_set", options, description);
  const document = new Document([{ entry_type: "invariant_set", metadata, content }], yamlOptions);
  if (leftOut.length > 0) document.commentBefore = ["left out:", ...leftOut].map((text) => ` ${text}`).join("\n");
  return document.toString({ lineWidth: 0 });
}

function provedHeads(invariants: readonly HeadInvariant[]): readonly LoopPlace[] {
  const places = new Map<string, LoopPlace>();
  for (const { location, begins, function: name, conjuncts } of invariants) {
    const known = places.get(placeKey(location))?.alternatives ?? [];
    const alternatives = [...known, conjuncts];
    places.set(placeKey(location), { location, begins, function: name, alternatives, obstacle: null });
  }
  return [...places.values()];
}

/** The conjuncts that hold in every execution of a loop. */
function foldedLoops(loops: readonly LoopResult[]): readonly LoopPlace[] {
  const places = new Map<string, LoopPlace>();
  for (const { function: name, foldedFrom, inner, ...loop } of loops) {
    const late = foldedFrom === 0 ? null : `the invariant holds only from iteration ${(foldedFrom ?? 0) + 1} on`;
    // After a late fold, some activations of inner loops have no invariant.
    const obstacle = foldedFrom === null ? "the loop was not folded" : late;
    for (const { location, invariant } of [loop, ...inner]) {
      const known = places.get(placeKey(location));
      const conjuncts = known?.alternatives[0]?.filter(({ text }) => invariant.some((other) => other.text === text));
      places.set(placeKey(location), {
        location: known?.location ?? location,
        begins: null,
        function: known?.function ?? name,
        alternatives: [conjuncts ?? invariant],
        obstacle: known?.obstacle ?? obstacle,
      });
    }
  }
  return [...places.values()];
}

function placeKey({ file, line, column }: SourceRange): string {
  return `${file}:${line}:${column}`;
}
