import { Document } from "yaml";
import { nth } from "../../base/checked.ts";
import type { Formula } from "../../commands/common/result.ts";
import type { HeadInvariant, VerifyReport } from "../../commands/verify/result.ts";
import { type PlacesInSource, placesInSource } from "./placesInSource.ts";
import { cConjunction, namesIn, type WitnessOptions, witnessMetadata, yamlOptions } from "./witnessMetadata.ts";

/**
 * The invariants of a safe verdict as an `invariant_set` of format 2.0; null where the verdict is another one. A loop in a
 * function that is called from several places has one invariant there: that of one of the calls holds. What cannot be
 * said where the loop's condition is evaluated is left out, each with its reason in a comment, which makes the invariant
 * weaker but not wrong:
 *
 *   conjuncts over what is not in scope there, and what C cannot say
 *   loops without a keyword, and `do` loops, whose invariants hold at the top of their bodies
 */
export function toCorrectnessWitness(report: VerifyReport, options: WitnessOptions): string | null {
  if (report.verdict !== "safe") return null;
  const leftOut: string[] = [];
  const entries: object[] = [];
  for (const heads of byPlace(report.invariants)) {
    const [{ location, function: name }] = heads as [HeadInvariant];
    const { file, line } = location;
    const say = (what: string) => leftOut.push(`${file}:${line}: ${what}`);
    const outline = options.outline(file);
    const places = outline === null ? null : placesInSource(outline);
    const head = places?.loopHead(location) ?? null;
    if (places === null || head === null) {
      say("the loop has no keyword at this place");
      continue;
    }
    if (head.keyword === "do") {
      say("the invariant holds at the top of the body of a do loop");
      continue;
    }
    const isSayable = (formula: Formula) => obstacle(places, head, formula, say) === null;
    const alternatives = heads.map(({ conjuncts }) => cConjunction(conjuncts.filter(isSayable)) ?? "1");
    const value = disjunction([...new Set(alternatives)]);
    if (value === "1") continue;
    entries.push({
      invariant: {
        type: "loop_invariant",
        location: { file_name: file, line: head.line, column: head.column, function: name },
        value,
        format: "c_expression",
      },
    });
  }
  const description =
    report.assumptions.length === 0 ? undefined : "Safe if nothing undefined happens where Tracefold says so.";
  const metadata = witnessMetadata(
    report,
    "invariant_set",
    { ...options, specification: specificationOf(report) },
    description,
  );
  const document = new Document([{ entry_type: "invariant_set", metadata, content: entries }], yamlOptions);
  if (leftOut.length > 0) document.commentBefore = ["left out:", ...leftOut].map((text) => ` ${text}`).join("\n");
  return document.toString({ lineWidth: 0 });
}

function byPlace(invariants: readonly HeadInvariant[]): readonly (readonly HeadInvariant[])[] {
  const places = new Map<string, HeadInvariant[]>();
  for (const head of invariants) {
    const { file, line, column } = head.location;
    const key = `${file}:${line}:${column}`;
    places.set(key, [...(places.get(key) ?? []), head]);
  }
  return [...places.values()];
}

function obstacle(
  places: PlacesInSource,
  head: NonNullable<ReturnType<PlacesInSource["loopHead"]>>,
  formula: Formula,
  say: (what: string) => void,
): string | null {
  const foreign = namesIn([formula]).find((name) => !places.inScopeAtHead(head, name));
  const what =
    formula.c === null
      ? "not an expression of C"
      : foreign === undefined
        ? null
        : `no single ${foreign} is in scope at the loop's head`;
  if (what !== null) say(`${formula.text}: ${what}`);
  return what;
}

function disjunction(alternatives: readonly string[]): string {
  if (alternatives.includes("1")) return "1";
  return alternatives.length === 1 ? nth(alternatives, 0) : alternatives.map((text) => `(${text})`).join(" || ");
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

function specificationOf({ program, property }: VerifyReport): string {
  return `CHECK( init(${program.entry}()), LTL(G ${claims[property]}) )`;
}
