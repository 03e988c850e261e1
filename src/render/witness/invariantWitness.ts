import { Document } from "yaml";
import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Formula } from "../../commands/common/result.ts";
import type { Explanation, LoopResult } from "../../commands/explain/result.ts";
import type { HeadInvariant, VerifyReport } from "../../commands/verify/result.ts";
import { type PlacesInSource, placesInSource, type WitnessLoopHead } from "./placesInSource.ts";
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
  const specification = `CHECK( init(${report.program.entry}()), LTL(G ${claims[report.property]}) )`;
  const description =
    report.assumptions.length === 0 ? undefined : "Safe if nothing undefined happens where Tracefold says so.";
  return invariantSet(report, { ...options, specification }, description, entries, leftOut);
}

const claims: Record<VerifyReport["property"], string> = {
  assert: "! call(reach_error())",
  overflow: "! overflow",
  bounds: "valid-deref",
  null: "valid-deref",
  "div-by-zero": "def-behavior",
  uninitialised: "def-behavior",
  all: "def-behavior",
};

/**
 * An invariant must hold whenever the loop's condition is about to be evaluated, and mention only what is in scope there:
 * what the `for` itself declares is. Everything else is left out, with its reason, which makes the invariant weaker but
 * not wrong: conjuncts over other variables, what C cannot say, loops without a keyword, and `do` loops, whose invariants
 * hold at the top of their bodies.
 */
function loopInvariants(loops: readonly LoopPlace[], options: WitnessOptions) {
  const leftOut: string[] = [];
  const entries = loops.flatMap(({ location, function: name, alternatives, obstacle }) => {
    const { file, line } = location;
    const say = (what: string) => leftOut.push(`${file}:${line}: ${what}`);
    const outline = options.outline(file);
    const places = outline === null ? null : placesInSource(outline);
    const head = places?.loopHead(location) ?? null;
    if (obstacle !== null || places === null || head === null || head.keyword === "do") {
      const missing = places === null ? "the source is not at hand" : "the loop has no keyword at this place";
      say(obstacle ?? (head === null ? missing : "the invariant holds at the top of the body of a do loop"));
      return [];
    }
    const kept = alternatives.map((conjuncts) =>
      conjuncts.filter((formula) => {
        const problem = problemAt(places, head, formula);
        if (problem !== null) say(`${formula.text}: ${problem}`);
        return problem === null;
      }),
    );
    const value = disjunction([...new Set(kept.map((formulas) => cConjunction(formulas) ?? "1"))]);
    if (value === "1") return [];
    const at = { file_name: file, line: head.line, column: head.column, function: name };
    return [{ invariant: { type: "loop_invariant", location: at, value, format: "c_expression" } }];
  });
  return { entries, leftOut };
}

/** Why a formula cannot be written at a loop's head; null if it can. */
function problemAt(places: PlacesInSource, head: WitnessLoopHead, formula: Formula): string | null {
  if (formula.c === null) return "not an expression of C";
  const foreign = namesIn([formula]).find((name) => !places.inScopeAtHead(head, name));
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
  for (const { location, function: name, conjuncts } of invariants) {
    const known = places.get(placeKey(location))?.alternatives ?? [];
    const alternatives = [...known, conjuncts];
    places.set(placeKey(location), { location, function: name, alternatives, obstacle: null });
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
