import { at, pure } from "./expressions.ts";
import type { IntType } from "./intTypes.ts";
import { intTypes } from "./intTypes.ts";
import { type Builder, type StructShape, visible } from "./scope.ts";

/** Something with an integer value that can be read and, unless it is a loop counter, written. */
export type Place = { readonly text: string; readonly type: IntType; readonly bitField: boolean };

type MakePlace = (b: Builder) => Place;

const char = intTypes[2]!;

/** An index below `length`, whatever the values are. */
export function elementOf(b: Builder, length: number): string {
  const counters = visible(b, "scalar").filter((entity) => entity.frozen);
  const style = b.choices.pick(4);
  if (style === 3) return `(unsigned)${at(15, pure(b, 1))} % ${length}u`;
  if (style === 2 && counters.length > 0) return `(unsigned)${b.choices.oneOf(counters).name} % ${length}u`;
  return `${b.choices.pick(length)}`;
}

/**
 * The same, or in a wild program one that may be the length: of an array that is a part of something larger, and that is
 * written. A read may be dropped by gcc, with its check, where the value decides nothing.
 */
function partOf(b: Builder, length: number): string {
  if (!b.wild || !b.choices.chance(30)) return elementOf(b, length);
  return b.choices.chance(50) ? `${length}` : `(unsigned)${at(15, pure(b, 1))} % ${length + 1}u`;
}

export function writablePlaces(b: Builder): MakePlace[] {
  return places(b, true);
}

export function readablePlaces(b: Builder): MakePlace[] {
  return places(b, false);
}

function places(b: Builder, written: boolean): MakePlace[] {
  const part = written ? partOf : elementOf;
  const result: MakePlace[] = [];
  for (const entity of b.scopes.flat()) {
    switch (entity.kind) {
      case "scalar":
        if (!written || !entity.frozen) {
          result.push(() => ({ text: entity.name, type: entity.type, bitField: false }));
        }
        break;
      case "array":
        result.push((builder) => ({
          text:
            entity.name +
            entity.dimensions.map((length, i) => `[${(i === 0 ? elementOf : part)(builder, length)}]`).join(""),
          type: entity.type,
          bitField: false,
        }));
        break;
      case "pointer":
        result.push((builder) => dereference(builder, entity.name, entity.type, entity.length));
        break;
      case "struct":
        result.push((builder) => fieldPlace(builder, `${entity.name}.`, entity.type, part));
        break;
      // Behind a pointer gcc lets the last member have as many elements as there is room for.
      case "structPointer":
        result.push((builder) => fieldPlace(builder, `${entity.name}->`, entity.type, elementOf));
        break;
      case "string":
        if (!written) {
          result.push((builder) => ({
            text: `${entity.name}[${elementOf(builder, entity.length)}]`,
            type: char,
            bitField: false,
          }));
        }
        break;
      case "floating":
        break;
    }
  }
  return result;
}

function dereference(b: Builder, name: string, type: IntType, length: number): Place {
  const style = b.choices.pick(3);
  if (style === 0 || length === 1) return { text: `(*${name})`, type, bitField: false };
  const index = elementOf(b, length);
  return { text: style === 1 ? `${name}[${index}]` : `(*(${name} + ${index}))`, type, bitField: false };
}

function fieldPlace(b: Builder, prefix: string, shape: StructShape, index: typeof elementOf): Place {
  const field = b.choices.oneOf(shape.fields);
  switch (field.kind) {
    case "scalar":
      return { text: prefix + field.name, type: field.type, bitField: field.width !== null };
    case "array":
      return { text: `${prefix}${field.name}[${index(b, field.length)}]`, type: field.type, bitField: false };
    case "struct":
      return fieldPlace(b, `${prefix}${field.name}.`, field.type, index);
  }
}
