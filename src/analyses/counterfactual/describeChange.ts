import { present } from "../../base/checked.ts";
import { type DescribedChange, describeTextChange } from "../../changes/change.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import { hasSourceNames } from "../../ir/naming.ts";
import { sourceOfPlace } from "../../ir/printOperation.ts";
import type { Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { writtenTextAt } from "../../ir/source.ts";
import { rangeOfPlace } from "./executedPlaces.ts";
import type { Level } from "./experimentRunner.ts";
import type { TriedChange, WhatIfOf } from "./suspect.ts";

/**
 * Describes a change and its effect: ``with `i >= n` instead of `i > n` the run passes; 0 of 20 passing runs break``.
 */
export function describeWhatIf(program: Program, whatIf: TriedChange): string {
  return `${describeChange(program, whatIf).text} ${describeLevel(whatIf.level)}${describeBroken(whatIf)}`;
}

export function describeChange(program: Program, whatIf: TriedChange, print: PrintValue = byType): DescribedChange {
  switch (whatIf.kind) {
    case "flip": {
      const text = quoted(program, whatIf.place);
      const short = "had this gone the other way";
      return { text: text === null ? short : `had ${text} gone the other way`, short };
    }
    case "value":
      return describeValue(program, whatIf, print);
    case "change": {
      const { change } = whatIf;
      return describeTextChange(present(program.files.find(({ path }) => path === change.file)).text, change);
    }
  }
}

/** Uses the type's name for the value; a `switch` over characters shows characters. */
const byType: PrintValue = ({ expression }, value) => {
  const written = expression?.kind === "convert" ? expression.operand : expression;
  if (written?.type.kind !== "int" || !Number.isInteger(Number(value))) return `${value}`;
  const { bits, enumerators } = written.type;
  if (bits === 8 && value >= 32 && value < 127) return `'${String.fromCharCode(Number(value))}'`;
  return enumerators?.find((each) => each.value === BigInt(value))?.name ?? `${value}`;
};

function describeValue(program: Program, { place, from, to }: WhatIfOf<"value">, print: PrintValue): DescribedChange {
  const what = nameOfValue(program, place);
  const suffix = what === null ? " here" : ` for ${what}`;
  // The number of a pointer means nothing to a reader.
  if (place.type.kind === "pointer") {
    const short = to === 0 ? "with a null pointer" : "with another pointer";
    return { text: `${short}${suffix}`, short };
  }
  const [was, now] = [from, to].map((value) => print(place, value));
  if (was === null || now === null) return anotherValue;
  if (what === null) return { text: `with ${now} instead of ${was} here`, short: `with ${now}` };
  return { text: `with ${now} instead of ${was} for ${what}`, short: `with ${now} for ${what}` };
}

/** The name of a value in its line; null if the source has none. */
function nameOfValue(program: Program, place: Extract<VariedPlace, { readonly kind: "value" }>): string | null {
  const { operation } = place.edge;
  switch (place.use) {
    case "assigned": {
      const target = "target" in operation ? operation.target : null;
      const variable = target === null ? undefined : program.variables[target];
      const isNamed = variable !== undefined && variable.kind !== "temporary" && !variable.madeUp;
      return isNamed ? `\`${variable.name}\`` : null;
    }
    case "stored": {
      if (operation.kind !== "store") return null;
      const text = sourceOfPlace(program, operation.address);
      return text.length > longestName || !hasSourceNames(program, operation.address) ? null : `\`${text}\``;
    }
    case "returned":
      return "what it returns";
    case "argument":
    case "index":
    case "selector":
      return quoted(program, place);
  }
}

const longestName = 32;

/** The source text of a place; null if it is long. */
function quoted(program: Program, place: VariedPlace): string | null {
  const text = writtenTextAt(program, rangeOfPlace(place))?.replaceAll(/\s+/g, " ");
  return text === undefined || text.length > longestName ? null : `\`${text}\``;
}

function same(text: string): DescribedChange {
  return { text, short: text };
}

/** A number that stands for an object means nothing to a reader. */
const anotherValue = same("with another value here");

function describeLevel(level: Level): string {
  return level === "passes" ? "the run passes" : "the run gets past this failure";
}

function describeBroken(whatIf: TriedChange): string {
  if (whatIf.kind !== "change" || whatIf.asked === 0) return "";
  const runs = whatIf.asked === 1 ? "passing run breaks" : "passing runs break";
  return `; ${whatIf.broken.length} of ${whatIf.asked} ${runs}`;
}

/** Prints a value in source syntax at a place; null if the language has no text for it. */
export type PrintValue = (place: PrintedPlace, value: ScalarValue) => string | null;

export type PrintedPlace = Extract<VariedPlace, { readonly kind: "value" }>;
