import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Type } from "../../ir/type.ts";
import type { Edit } from "./edit.ts";
import type { Level } from "./laboratory.ts";
import type { WhatIf } from "./whatIf.ts";

/** In plain words what was changed and what came of it: ``with `>=` here the run passes; 0 of 20 passing runs break``. */
export function describeWhatIf(whatIf: WhatIf): string {
  return `${describeChange(whatIf)} ${describeLevel(whatIf.level)}${describeBroken(whatIf)}`;
}

export function describeChange(whatIf: WhatIf): string {
  switch (whatIf.kind) {
    case "flip":
      return "had this gone the other way";
    case "value":
      // The number of a pointer says nothing to anyone.
      if (whatIf.place.type.kind === "pointer")
        return whatIf.to === 0 ? "with a null pointer here" : "with another pointer here";
      return `with ${describeValue(whatIf.to)} for ${describeValue(whatIf.from)} here`;
    case "edit":
      return describeEdit(whatIf.edit);
  }
}

function describeEdit(edit: Edit): string {
  switch (edit.kind) {
    case "comparison":
    case "operator":
      return `with \`${edit.to}\` here`;
    case "variable":
      return `with \`${edit.place.others[edit.to]!.name}\` here`;
    case "order":
    case "arguments":
      return "with these in the other order";
    case "truth":
      return edit.to === "negated" ? "with this negated" : `with this always ${edit.to}`;
    case "constant":
      return `with ${nameOf(edit.place.expression.type, edit.to) ?? describeValue(edit.to)} here`;
    case "value":
      return describeValueEdit(edit);
    case "case":
      return `with ${describeSelected(edit, edit.from)} taken like ${describeSelected(edit, edit.to)} here`;
    case "skip":
      return "without this";
    case "connective":
      return `with \`${edit.connective.operator === "&&" ? "||" : "&&"}\` here`;
  }
}

/** Where the type has one for the value. */
function nameOf(type: Type, value: ScalarValue): string | null {
  if (type.kind !== "int" || !Number.isInteger(Number(value))) return null;
  return type.enumerators?.find((each) => each.value === BigInt(value))?.name ?? null;
}

function describeValueEdit({ to, place }: Extract<Edit, { readonly kind: "value" }>): string {
  if (place.type.kind === "pointer") return "with a null pointer here";
  switch (to) {
    case "plus one":
      return "with one more here";
    case "minus one":
      return "with one less here";
    case "zero":
      return "with 0 here";
    case "one":
      return "with 1 here";
    case "negated":
      return "with this negated";
  }
}

/** A `switch` over characters is about characters. */
function describeSelected({ place }: Extract<Edit, { readonly kind: "case" }>, value: ScalarValue): string {
  const { expression } = place;
  const selected = expression?.kind === "convert" ? expression.operand : expression;
  const isCharacter = selected?.type.kind === "int" && selected.type.bits === 8 && value >= 32 && value < 127;
  return isCharacter ? `'${String.fromCharCode(Number(value))}'` : describeValue(value);
}

function describeValue(value: ScalarValue): string {
  return `${value}`;
}

function describeLevel(level: Level): string {
  return level === 2 ? "the run passes" : "the run gets past this failure";
}

function describeBroken(whatIf: WhatIf): string {
  if (whatIf.kind !== "edit" || whatIf.asked === 0) return "";
  const runs = whatIf.asked === 1 ? "passing run breaks" : "passing runs break";
  return `; ${whatIf.broken} of ${whatIf.asked} ${runs}`;
}
