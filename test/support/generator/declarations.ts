import { at, constant, pure } from "./expressions.ts";
import { bool, type IntType, int, intTypes, literal, unsigned } from "./intTypes.ts";
import { type Builder, declare, type Field, freshName, type StructShape, topLevelName, visible } from "./scope.ts";

/** Up to `most` declarations for the current scope, each with an initialiser. */
export function localDeclarations(b: Builder, most: number): string[] {
  const lines: string[] = [];
  const count = b.choices.pick(most + 1);
  for (let i = 0; i < count; i++) lines.push(declaration(b, false));
  return lines;
}

export function globalDeclarations(b: Builder, most: number): string[] {
  const lines: string[] = [];
  const count = b.choices.pick(most + 1);
  for (let i = 0; i < count; i++) lines.push(declaration(b, true));
  return lines;
}

function declaration(b: Builder, global: boolean): string {
  const { choices } = b;
  const name = global ? topLevelName(b, "g") : freshName(b, "v");
  const type = choices.oneOf(intTypes);
  const storage = !global && choices.chance(8) ? "static " : global && choices.chance(30) ? "static " : "";
  const fixed = global || storage !== "";
  return choices.weighted<() => string>([
    [6, () => scalar(b, storage, name, type, fixed, global)],
    [3, () => array(b, storage, name, type, global)],
    [2, () => struct(b, storage, name, type, fixed, global)],
    [2, () => pointer(b, storage, name, type, fixed, global)],
    [1, () => structPointer(b, storage, name, type, fixed, global)],
    [1, () => string(b, storage, name, global)],
    [
      1,
      () => {
        const kind = choices.oneOf(["double", "float"] as const);
        declare(b, { kind: "floating", name, type: kind, global });
        return `${storage}${kind} ${name} = ${choices.oneOf(["0.5", "1.5f", "-2.25", "3"])};`;
      },
    ],
  ])();
}

function scalar(b: Builder, storage: string, name: string, type: IntType, fixed: boolean, global: boolean): string {
  const value = fixed ? constant(b, type) : pure(b, 2);
  const plain = !fixed && b.choices.chance(60);
  declare(b, { kind: "scalar", name, type, frozen: false, plain, global });
  return `${storage}${type.name} ${name} = ${at(2, value)};`;
}

function array(b: Builder, storage: string, name: string, type: IntType, global: boolean): string {
  const { choices } = b;
  const length = 1 + choices.pick(5);
  if (choices.chance(25)) {
    const columns = 1 + choices.pick(3);
    declare(b, { kind: "array", name, type, dimensions: [length, columns], global });
    return `${storage}${type.name} ${name}[${length}][${columns}] = {{${literal(choices, type)}}};`;
  }
  declare(b, { kind: "array", name, type, dimensions: [length], global });
  const size = choices.chance(20) ? `(sizeof(char) * ${length})` : `${length}`;
  if (choices.chance(25))
    return `${storage}${type.name} ${name}[${size}] = {[${choices.pick(length)}] = ${literal(choices, type)}};`;
  const values = [...Array(1 + choices.pick(length)).keys()].map(() => literal(choices, type));
  return `${storage}${type.name} ${name}[${size}] = {${values.join(", ")}};`;
}

function struct(b: Builder, storage: string, name: string, type: IntType, fixed: boolean, global: boolean): string {
  if (b.structs.length === 0) return scalar(b, storage, name, type, fixed, global);
  const shape = b.choices.oneOf(b.structs);
  declare(b, { kind: "struct", name, type: shape, global });
  return `${storage}struct ${shape.tag} ${name} = ${initializer(b, shape)};`;
}

function initializer(b: Builder, shape: StructShape): string {
  const field = b.choices.oneOf(shape.fields);
  const style = b.choices.pick(3);
  if (style === 0 || field.kind !== "scalar") return "{0}";
  const value = field.width !== null || field.type.name === "_Bool" ? "1" : literal(b.choices, field.type);
  return style === 1 ? `{.${field.name} = ${value}}` : `{${shape.fields[0]!.kind === "scalar" ? "1" : "{0}"}}`;
}

function pointer(b: Builder, storage: string, name: string, type: IntType, fixed: boolean, global: boolean): string {
  const arrays = visible(b, "array").filter((a) => a.dimensions.length === 1 && (!fixed || a.global));
  const scalars = visible(b, "scalar").filter((s) => !s.plain && !s.frozen && (!fixed || s.global));
  if (arrays.length > 0 && b.choices.chance(60)) {
    const target = b.choices.oneOf(arrays);
    const skip = b.choices.pick(target.dimensions[0]!);
    const length = target.dimensions[0]! - skip;
    declare(b, { kind: "pointer", name, type: target.type, length, global });
    return `${storage}${target.type.name} *${name} = ${skip === 0 ? target.name : `${target.name} + ${skip}`};`;
  }
  if (scalars.length === 0) return scalar(b, storage, name, type, fixed, global);
  const target = b.choices.oneOf(scalars);
  declare(b, { kind: "pointer", name, type: target.type, length: 1, global });
  return `${storage}${target.type.name} *${name} = &${target.name};`;
}

function structPointer(
  b: Builder,
  storage: string,
  name: string,
  type: IntType,
  fixed: boolean,
  global: boolean,
): string {
  const targets = visible(b, "struct").filter((s) => !fixed || s.global);
  if (targets.length === 0) return scalar(b, storage, name, type, fixed, global);
  const target = b.choices.oneOf(targets);
  declare(b, { kind: "structPointer", name, type: target.type, global });
  return `${storage}struct ${target.type.tag} *${name} = &${target.name};`;
}

function string(b: Builder, storage: string, name: string, global: boolean): string {
  const text = b.choices.oneOf(["", "x", "abc", "hello", "a b c", "same", "sand"]);
  const extra = b.choices.pick(3);
  declare(b, { kind: "string", name, length: text.length + 1, global });
  return `${storage}char ${name}[${text.length + 1 + extra}] = "${text}";`;
}

/** Struct and enum definitions at file level. */
export function typeDefinitions(b: Builder): string[] {
  const lines: string[] = [];
  const count = b.choices.pick(4);
  for (let i = 0; i < count; i++) lines.push(...structDefinition(b));
  if (b.choices.chance(40)) {
    const names = [0, 1, 2].map(() => topLevelName(b, "K"));
    b.enumerators.push(...names);
    lines.push(`enum ${topLevelName(b, "E")} { ${names[0]}, ${names[1]} = ${b.choices.pick(20)}, ${names[2]} };`);
  }
  return lines;
}

function structDefinition(b: Builder): string[] {
  const tag = topLevelName(b, "S");
  const fields: Field[] = [];
  const lines: string[] = [];
  const count = 1 + b.choices.pick(4);
  for (let i = 0; i < count; i++) {
    const [field, line] = structField(b);
    fields.push(field);
    lines.push(`  ${line}`);
  }
  b.structs.push({ tag, fields });
  return [`struct ${tag} {`, ...lines, "};"];
}

function structField(b: Builder): readonly [Field, string] {
  const { choices } = b;
  const name = freshName(b, "m");
  const type = choices.oneOf(intTypes);
  const kind = choices.weighted([
    [5, "scalar"],
    [2, "bits"],
    [1, "array"],
    [b.structs.length > 0 ? 1 : 0, "struct"],
  ]);
  if (kind === "bits") {
    const base = choices.oneOf([unsigned, int, bool]);
    const width = base === bool ? 1 : 1 + choices.pick(17);
    return [{ kind: "scalar", name, type: base, width }, `${base.name} ${name} : ${width};`];
  }
  if (kind === "array") {
    const length = 1 + choices.pick(3);
    return [{ kind: "array", name, type, length }, `${type.name} ${name}[${length}];`];
  }
  if (kind === "struct") {
    const shape = choices.oneOf(b.structs);
    return [{ kind: "struct", name, type: shape }, `struct ${shape.tag} ${name};`];
  }
  return [{ kind: "scalar", name, type, width: null }, `${type.name} ${name};`];
}
