import { Document } from "yaml";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Formula } from "../../commands/common/result.ts";
import type { Explanation, LoopResult } from "../../commands/explain/result.ts";
import { placesInSource } from "./placesInSource.ts";
import {
  cConjunction,
  namesIn,
  type WitnessOptions,
  withSpecification,
  witnessMetadata,
  yamlOptions,
} from "./witnessMetadata.ts";

export type InvariantWitnessOptions = WitnessOptions & {
  /**
   * `program`: only invariants that are proved for every run. `path` (default): also those for runs that reach the loop
   * like the recorded one; the entry says so.
   */
  readonly scope?: "program" | "path";
};

/**
 * The invariants of the folded loops as an `invariant_set` of format 2.0, or null where no invariant can be exported. An
 * invariant must hold whenever the loop's condition is about to be evaluated and speak of what is in scope there: what the
 * `for` itself declares is. Left out, each with its reason in a comment, are therefore
 *
 *   loops that were folded only after some iterations, or not at all in one of their activations
 *   `do` loops, which were folded at the top of their bodies, and loops without a keyword
 *   conjuncts over variables that are declared in the loop's body, and what C cannot say
 */
export function toInvariantWitness(report: Explanation, options: InvariantWitnessOptions): string | null {
  const invariants: object[] = [];
  const leftOut: string[] = [];
  const loops = report.kind === "explained" ? report.loops : [];
  for (const loop of loopsByPlace(loops, options.scope === "program")) {
    const { file, line } = loop.location;
    const say = (what: string) => leftOut.push(`${file}:${line}: ${what}`);
    const outline = options.outline(file);
    const places = outline === null ? null : placesInSource(outline);
    const head = places?.loopHead(loop.location) ?? null;
    if (loop.obstacle !== null) say(loop.obstacle);
    else if (places === null) say("the source is not at hand");
    else if (head === null) say("the loop has no keyword at this place");
    else if (head.keyword === "do") say("the invariant holds at the top of the body of a do loop");
    else {
      const kept = loop.conjuncts.flatMap((conjunct) => {
        const foreign = namesIn([conjunct]).find((name) => !places.inScopeAtHead(head, name));
        if (conjunct.c === null) say(`${conjunct.text}: not an expression of C`);
        else if (foreign !== undefined) say(`${conjunct.text}: no single ${foreign} is in scope at the loop's head`);
        else if (conjunct.onlyThisRun) say(`${conjunct.text}: holds on this run only`);
        else return [conjunct];
        return [];
      });
      if (kept.length === 0) continue;
      invariants.push({
        invariant: {
          type: "loop_invariant",
          location: {
            file_name: file,
            line: head.line,
            column: head.column,
            ...(loop.function === null ? {} : { function: loop.function }),
          },
          value: cConjunction(kept),
          format: "c_expression",
        },
      });
    }
  }
  if (invariants.length === 0) return null;
  const metadata = witnessMetadata(report, "invariant_set", withSpecification(report, options), descriptionOf(options));
  const document = new Document([{ entry_type: "invariant_set", metadata, content: invariants }], yamlOptions);
  if (leftOut.length > 0) document.commentBefore = ["left out:", ...leftOut].map((text) => ` ${text}`).join("\n");
  return document.toString({ lineWidth: 0 });
}

function descriptionOf({ scope }: InvariantWitnessOptions): string | undefined {
  return scope === "program"
    ? undefined
    : "Invariants proved for the runs that come to each loop in the way of one failing run.";
}

type Place = {
  readonly location: SourceRange;
  readonly function: string | null;
  readonly conjuncts: readonly Formula[];
  readonly obstacle: string | null;
};

function loopsByPlace(loops: readonly LoopResult[], everyRun: boolean): Place[] {
  const all = loops.flatMap((loop): Place[] => {
    const proved = !everyRun || loop.everyRun === true;
    const obstacle = !proved
      ? "the invariant was proved for some runs only"
      : loop.foldedFrom === null
        ? "the loop was not folded"
        : loop.foldedFrom > 0
          ? `the invariant holds only from iteration ${loop.foldedFrom + 1} on`
          : null;
    const own = { location: loop.location, function: loop.function, conjuncts: loop.invariant, obstacle };
    // After a late fold, some activations of inner loops have no invariant.
    return [
      own,
      ...loop.inner.map(({ location, invariant }) => ({
        location,
        function: loop.function,
        conjuncts: invariant,
        obstacle,
      })),
    ];
  });
  const places = new Map<string, Place>();
  for (const place of all) {
    const key = `${place.location.file}:${place.location.line}:${place.location.column}`;
    const known = places.get(key);
    if (known === undefined) places.set(key, place);
    else {
      const conjuncts = known.conjuncts.filter(({ text }) => place.conjuncts.some((other) => other.text === text));
      places.set(key, { ...known, conjuncts, obstacle: known.obstacle ?? place.obstacle });
    }
  }
  return [...places.values()];
}
