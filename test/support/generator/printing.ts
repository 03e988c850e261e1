import { as, at, floating, pure } from "./expressions.ts";
import { type IntType, int, intTypes, unsigned } from "./intTypes.ts";
import { type Builder, type Entity, type Field, type StructShape, visible } from "./scope.ts";

/** A statement that prints something, with the flags, widths and conversions that programs use. */
export function printing(b: Builder): string[] {
  const { choices } = b;
  return choices.weighted<() => string[]>([
    [5, () => printInteger(b)],
    [1, () => [`printf("[%${choices.oneOf(["x", "#x", "o", "08x", "X"])}]", ${at(2, as(unsigned, pure(b, 2)))});`]],
    [1, () => [`printf("%${choices.oneOf([".3f", ".2e", "g", "8.1f"])};", tame(${floating(b, 1)}));`]],
    [1, () => [`putchar('a' + (int)(${at(13, as(unsigned, pure(b, 1)))} % 26u));`]],
    [1, () => [`puts(${JSON.stringify(choices.oneOf(["", "a", "hello world", "tab\there"]))});`]],
    [1, () => printString(b)],
    [
      1,
      () => [
        `printf("%c%%%*d|%-4d|\\n", '!', ${choices.pick(6)}, ${at(2, as(int, pure(b, 1)))}, ${choices.pick(99)});`,
      ],
    ],
  ])();
}

function printInteger(b: Builder): string[] {
  const type = b.choices.oneOf(intTypes);
  const flags = b.choices.oneOf(["", "", "5", "-6", "05", "+", " ", ".3", "8.4"]);
  const format = flags.match(/[+ ]/) && !type.signed ? type.format : flags + type.format;
  return [`printf("%${format} ", ${at(2, as(type, pure(b, 2)))});`];
}

function printString(b: Builder): string[] {
  const strings = visible(b, "string");
  if (strings.length === 0) return printInteger(b);
  return [`printf("<%${b.choices.oneOf(["", "8", "-8", ".2"])}s>", ${b.choices.oneOf(strings).name});`];
}

/** Lines that print everything an entity holds. */
export function reportEntity(entity: Entity): string[] {
  switch (entity.kind) {
    case "scalar":
      return [mix(entity.name, entity.type)];
    case "array": {
      const total = entity.dimensions.reduce((product, length) => product * length, 1);
      const first = entity.name + "[0]".repeat(entity.dimensions.length - 1);
      return [...Array(total).keys()].map((i) => mix(`${cell(entity, i, first)}`, entity.type));
    }
    case "struct":
      return reportStruct(`${entity.name}.`, entity.type);
    case "floating":
      return [`printf("%.4f ", (double)tame(${entity.name}));`];
    case "string":
      return [`printf("%s ", ${entity.name});`];
    case "pointer":
    case "structPointer":
      return [];
  }
}

function cell(entity: Extract<Entity, { kind: "array" }>, index: number, first: string): string {
  if (entity.dimensions.length === 1) return `${first}[${index}]`;
  const columns = entity.dimensions[1]!;
  return `${entity.name}[${Math.floor(index / columns)}][${index % columns}]`;
}

function reportStruct(prefix: string, shape: StructShape): string[] {
  return shape.fields.flatMap((field) => reportField(prefix + field.name, field));
}

function reportField(text: string, field: Field): string[] {
  switch (field.kind) {
    case "scalar":
      return [mix(text, field.type)];
    case "array":
      return [...Array(field.length).keys()].map((i) => mix(`${text}[${i}]`, field.type));
    case "struct":
      return reportStruct(`${text}.`, field.type);
  }
}

function mix(text: string, type: IntType): string {
  return `sum = sum * 31u + (unsigned)${text}; printf("%${type.format} ", (${type.name})${text});`;
}
