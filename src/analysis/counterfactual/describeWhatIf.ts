import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import { isSayable } from "../../ir/naming.ts";
import { sourceOfPlace, spelledOperator } from "../../ir/printOperation.ts";
import type { Program } from "../../ir/program.ts";
import { writtenTextAt } from "../../ir/sourceText.ts";
import { changeInContext } from "./changeInContext.ts";
import type { Edit } from "./edit.ts";
import { rangeOfPlace } from "./executedPlaces.ts";
import type { Level } from "./laboratory.ts";
import { isNumbering } from "./numberedValues.ts";
import type { PrintValue } from "./printedPlace.ts";
import type { WhatIf, WhatIfOf } from "./whatIf.ts";

/** What was changed, in plain words; `short` where there is little room. */
export type DescribedChange = { readonly text: string; readonly short: string };

/** In plain words what was changed and what came of it: ``with `i >= n` instead of `i > n` the run passes; 0 of 20 passing runs break``. */
export function describeWhatIf(program: Program, whatIf: WhatIf): string {
  return `${describeChange(program, whatIf).text} ${describeLevel(whatIf.level)}${describeBroken(whatIf)}`;
}

export function describeChange(program: Program, whatIf: WhatIf, print: PrintValue = byType): DescribedChange {
  switch (whatIf.kind) {
    case "flip": {
      const text = quoted(program, whatIf.place);
      const short = "had this gone the other way";
      return { text: text === null ? short : `had ${text} gone the other way`, short };
    }
    case "value":
      return describeValue(program, whatIf, print);
    case "edit":
      return describeEdit(program, whatIf.edit, print);
  }
}

/** Where the type has a name for the value, that; a `switch` over characters is about characters. */
const byType: PrintValue = ({ expression }, value) => {
  const written = expression?.kind === "convert" ? expression.operand : expression;
  if (written?.type.kind !== "int" || !Number.isInteger(Number(value))) return `${value}`;
  const { bits, enumerators } = written.type;
  if (bits === 8 && value >= 32 && value < 127) return `'${String.fromCharCode(Number(value))}'`;
  return enumerators?.find((each) => each.value === BigInt(value))?.name ?? `${value}`;
};

function describeEdit(program: Program, edit: Edit, print: PrintValue): DescribedChange {
  const change = changeInContext(program, edit, print);
  if (change !== null) {
    const { text, short } = instead(`\`${change.now}\``, `\`${change.was}\``);
    // Of a long comparison the operator is enough for who sees the line.
    const isLong = (edit.kind === "comparison" || edit.kind === "operator") && change.now.length > longOperation;
    return { text, short: isLong ? `with \`${spelledOperator(program, edit.to)}\`` : short };
  }
  const operator = (sign: string) => `\`${spelledOperator(program, sign)}\``;
  switch (edit.kind) {
    case "comparison":
    case "operator":
      return instead(operator(edit.to), operator(edit.place.expression.operator));
    case "variable":
      return here(`with \`${edit.place.others[edit.to]!.name}\``);
    case "order":
    case "arguments":
      return same("with these in the other order");
    case "truth": {
      const how = edit.to === "negated" ? "negated" : `always ${edit.to}`;
      return { text: `with ${quoted(program, edit.place) ?? "this"} ${how}`, short: `with this ${how}` };
    }
    case "constant": {
      const own = writtenTextAt(program, rangeOfPlace(edit.place));
      const now = print(edit.place, edit.to);
      if (now === null) return anotherValue;
      return own === null ? here(`with ${now}`) : instead(`\`${now}\``, `\`${own}\``);
    }
    case "value":
      return describeValueEdit(program, edit);
    case "case": {
      const [from, to] = [edit.from, edit.to].map((value) => print(edit.place, value));
      return from === null || to === null ? anotherValue : here(`with ${from} taken like ${to}`);
    }
    case "skip": {
      // A whole statement is the line that the reader looks at.
      const isWhole = writtenTextAt(program, edit.place.range)?.endsWith(";") === true;
      const text = isWhole ? null : quoted(program, edit.place);
      return same(`without ${text ?? "this"}`);
    }
    case "connective":
      return edit.connective.operator === "&&" ? instead("`||`", "`&&`") : instead("`&&`", "`||`");
  }
}

const longOperation = 18;

function describeValueEdit(program: Program, edit: Extract<Edit, { readonly kind: "value" }>): DescribedChange {
  const { place, to } = edit;
  const what = nameOfValue(program, place);
  const isOther = isNumbering(program, place.type);
  const all = place.type.kind === "pointer" ? "a null pointer" : isOther ? "another value" : words[to];
  if (to === "negated" && !isOther) return same(what === null ? "with this negated" : `with ${what} negated`);
  return what === null ? here(`with ${all}`) : { text: `with ${all} for ${what}`, short: `with ${all}` };
}

const words = {
  "plus one": "one more",
  "minus one": "one less",
  zero: "0",
  one: "1",
  negated: "its negation",
} as const;

function describeValue(program: Program, { place, from, to }: WhatIfOf<"value">, print: PrintValue): DescribedChange {
  const what = nameOfValue(program, place);
  const suffix = what === null ? " here" : ` for ${what}`;
  // The number of a pointer says nothing to anyone.
  if (place.type.kind === "pointer") {
    const short = to === 0 ? "with a null pointer" : "with another pointer";
    return { text: `${short}${suffix}`, short };
  }
  const [was, now] = [from, to].map((value) => print(place, value));
  if (was === null || now === null) return anotherValue;
  if (what === null) return { text: `with ${now} instead of ${was} here`, short: `with ${now}` };
  return { text: `with ${now} instead of ${was} for ${what}`, short: `with ${now} for ${what}` };
}

/** What the value is the value of, for a reader of the line; null where the source has no word for it. */
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
      return text.length > longestName || !isSayable(program, operation.address) ? null : `\`${text}\``;
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

/** The part of the source that a place is; null where that is long. */
function quoted(program: Program, place: VariedPlace): string | null {
  const text = writtenTextAt(program, rangeOfPlace(place))?.replaceAll(/\s+/g, " ");
  return text === undefined || text.length > longestName ? null : `\`${text}\``;
}

function instead(now: string, was: string): DescribedChange {
  return { text: `with ${now} instead of ${was}`, short: `with ${now}` };
}

function same(text: string): DescribedChange {
  return { text, short: text };
}

function here(short: string): DescribedChange {
  return { text: `${short} here`, short };
}

/** A number that stands for an object says nothing to anyone. */
const anotherValue = same("with another value here");

function describeLevel(level: Level): string {
  return level === 2 ? "the run passes" : "the run gets past this failure";
}

function describeBroken(whatIf: WhatIf): string {
  if (whatIf.kind !== "edit" || whatIf.asked === 0) return "";
  const runs = whatIf.asked === 1 ? "passing run breaks" : "passing runs break";
  return `; ${whatIf.broken} of ${whatIf.asked} ${runs}`;
}
