import { formatPlace, type SourceRange } from "../../../base/sourceRange.ts";
import { printType, type Type } from "../../../ir/type.ts";
import { inputError } from "./context.ts";

/** Errors that are about two places: the range is that of the later one, the message names the other. */

export function definedTwice(name: string, range: SourceRange, other: SourceRange, help?: string): never {
  return inputError("TF152", `${name} is defined twice: here and at ${formatPlace(other)}`, range, help);
}

type Declared = readonly [type: Type, range: SourceRange];

export function declaredOtherwise(name: string, [type, range]: Declared, [otherType, otherRange]: Declared): never {
  const [own, other] = [printType(type, name), printType(otherType, name)];
  const place = formatPlace(otherRange);
  const message =
    own === other
      ? `${own} is declared at ${place} too, but what its type is made of differs`
      : `${name} is declared as ${own} here, but as ${other} at ${place}`;
  return inputError("TF183", message, range);
}
