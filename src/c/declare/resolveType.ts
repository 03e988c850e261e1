import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import { formatPlace, type SourceRange } from "../../base/sourceRange.ts";
import { emit, read } from "../../ir/builder.ts";
import { type FunctionType, type IntType, type StructType, sizeOf, type Type } from "../../ir/type.ts";
import {
  type Attribute,
  type Declaration,
  type Declarator,
  type Expr,
  hasQualifier,
  type ParameterDeclaration,
  type Specifiers,
  type TypeName,
  type TypeSpecifier,
} from "../ast.ts";
import type { LibraryType } from "../library/entry.ts";
import { foldConstant } from "../lower/arithmetic.ts";
import { type Context, inputError, newTemporary, scratchOf, unsupported } from "../lower/context.ts";
import { isPlaceExpr, lowerExpr, lowerPlace, lowerScalar } from "../lower/lowerExpression.ts";
import {
  type BasicTypes,
  decay,
  isInteger,
  pointerTo,
  type RuntimeArrayType,
  typeOfWords,
  voidType,
  withAlign,
  withQualifier,
} from "../types/cType.ts";
import { enumeratorType, enumTypeOf, layoutOf, type Member } from "../types/layout.ts";
import { lookup, lookupTag } from "./scope.ts";

/** The value of an integer constant expression; throws if it is not one. */
export function constantInteger(cx: Context, expr: Expr, what: string): bigint {
  const value = tryConstantInteger(cx, expr);
  if (value === null) inputError("TF150", `${what} is not an integer constant`, expr.range);
  return value;
}

export function tryConstantInteger(cx: Context, expr: Expr): bigint | null {
  const value = lowerScalar(scratchOf(cx), expr);
  const folded = isInteger(value.type) ? foldConstant(value, cx.unit.types.pointerBytes) : null;
  return typeof folded === "bigint" ? folded : null;
}

export function typeOfSpecifiers(cx: Context, specifiers: Specifiers): Type {
  const type = applyAttributes(cx, typeOfSpecifier(cx, specifiers.type), specifiers.attributes);
  return hasQualifier(specifiers) ? withQualifier(type) : type;
}

export function typeOfTypeName(cx: Context, name: TypeName): Type {
  return typeOfDeclarator(cx, typeOfSpecifiers(cx, name.specifiers), name.declarator);
}

function typeOfSpecifier(cx: Context, specifier: TypeSpecifier): Type {
  switch (specifier.kind) {
    case "basic": {
      const type = typeOfWords(specifier.words, cx.unit.types);
      const words = specifier.words.join(" ");
      if (type === "unsupported") return unsupported("TF250", `type ${words} is not supported`, specifier.range);
      return type ?? inputError("TF151", `${words} is not a type`, specifier.range);
    }
    case "typedefName": {
      const entity = lookup(cx.scope, specifier.name);
      if (entity?.kind === "typedef") return entity.type;
      if (specifier.name === "__builtin_va_list" || specifier.name === "__gnuc_va_list") {
        return pointerTo(cx.unit.types.char);
      }
      const words = typeOfWords([specifier.name], cx.unit.types);
      if (words === "unsupported")
        return unsupported("TF250", `type ${specifier.name} is not supported`, specifier.range);
      return words ?? inputError("TF151", `${specifier.name} is not a type`, specifier.range);
    }
    case "struct":
    case "enum": {
      const known = cx.unit.specifierTypes.get(specifier);
      if (known !== undefined) return enterAgain(cx, specifier, known);
      const type = specifier.kind === "struct" ? structType(cx, specifier) : enumType(cx, specifier);
      cx.unit.specifierTypes.set(specifier, type);
      return type;
    }
    case "typeof":
      return specifier.operand.kind === "typeName"
        ? typeOfTypeName(cx, specifier.operand)
        : typeOfOperand(cx, specifier.operand);
    default:
      return assertNever(specifier, "type specifier");
  }
}

/** A definition resolved again in a new scope enters its names there too. */
function enterAgain(cx: Context, specifier: TypeSpecifier & { kind: "struct" | "enum" }, type: Type): Type {
  if (specifier.kind === "enum") return specifier.enumerators === null ? type : enumType(cx, specifier);
  if (specifier.fields !== null && specifier.tag !== null && type.kind === "struct") {
    cx.scope.tags.set(specifier.tag, { kind: "struct", type });
    for (const field of specifier.fields) typeOfSpecifiers(cx, field.specifiers);
  }
  return type;
}

function enumType(cx: Context, specifier: TypeSpecifier & { kind: "enum" }): Type {
  if (specifier.enumerators === null) {
    const tag = specifier.tag === null ? null : lookupTag(cx.scope, specifier.tag);
    return tag?.kind === "enum" ? tag.type : cx.unit.types.unsignedInt;
  }
  const values: bigint[] = [];
  let next = 0n;
  for (const enumerator of specifier.enumerators) {
    const value = enumerator.value === null ? next : constantInteger(cx, enumerator.value, "an enumerator's value");
    // Later enumerators may refer to this one before the enumeration's type is known.
    cx.scope.names.set(enumerator.name, {
      kind: "enumerator",
      type: enumeratorType(value, cx.unit.types.longLong, cx.unit.types),
      value,
    });
    values.push(value);
    next = value + 1n;
  }
  const enumerators = specifier.enumerators.map(({ name }, i) => ({ name, value: nth(values, i) }));
  const type = { ...enumTypeOf(values, cx.unit.types), enumerators };
  for (const { name, value } of enumerators) {
    const own = { ...enumeratorType(value, type, cx.unit.types), enumerators };
    cx.scope.names.set(name, { kind: "enumerator", type: own, value });
  }
  if (specifier.tag !== null) cx.scope.tags.set(specifier.tag, { kind: "enum", type });
  return type;
}

function structType(cx: Context, specifier: TypeSpecifier & { kind: "struct" }): StructType {
  const { tag, fields } = specifier;
  const word = specifier.union ? "union" : "struct";
  const make = (): StructType => ({
    kind: "struct",
    name: tag === null ? `${word} <anonymous at ${formatPlace(specifier.range)}>` : `${word} ${tag}`,
    union: specifier.union,
    layout: null,
  });
  if (fields === null) {
    const known = lookupTag(cx.scope, tag!);
    if (known?.kind === "struct" && known.type.union === specifier.union) return known.type;
    const declared = make();
    cx.scope.tags.set(tag!, { kind: "struct", type: declared });
    return declared;
  }
  const forward = tag === null ? undefined : cx.scope.tags.get(tag);
  if (forward?.kind === "struct" && forward.type.layout !== null) {
    inputError("TF152", `${forward.type.name} is defined twice`, specifier.range);
  }
  const type = forward?.kind === "struct" && forward.type.union === specifier.union ? forward.type : make();
  if (tag !== null) cx.scope.tags.set(tag, { kind: "struct", type });
  type.layout = layoutOf(
    {
      members: fields.flatMap((field) => membersOf(cx, field)),
      union: specifier.union,
      packed: specifier.attributes.some((attribute) => attribute.name === "packed"),
      align: requestedAlign(cx, specifier.attributes),
    },
    cx.unit.types.pointerBytes,
  );
  return type;
}

function membersOf(cx: Context, field: Declaration): Member[] {
  const base = typeOfSpecifiers(cx, field.specifiers);
  const packed = field.specifiers.attributes.some((attribute) => attribute.name === "packed");
  const align = requestedAlign(cx, field.specifiers.attributes);
  if (field.declarators.length === 0) {
    return base.kind === "struct" ? [{ name: "", type: base, width: null, align, packed }] : [];
  }
  return field.declarators.map(({ declarator, bitWidth, range }) => {
    const name = nameOf(declarator) ?? "";
    const type = typeOfDeclarator(cx, base, declarator);
    if (bitWidth !== null) return bitFieldMember(cx, name, type, bitWidth, align, packed, range);
    if (type.kind === "function" || (sizeOf(type, cx.unit.types.pointerBytes) === null && type.kind !== "array")) {
      inputError("TF153", `member ${name} has an incomplete type`, range);
    }
    return { name, type, width: null, align, packed };
  });
}

function bitFieldMember(
  cx: Context,
  name: string,
  type: Type,
  bitWidth: Expr,
  align: number | null,
  packed: boolean,
  range: SourceRange,
): Member {
  const width = Number(constantInteger(cx, bitWidth, "the width of a bit-field"));
  const limit = type.kind === "bool" ? 1 : type.kind === "int" ? type.bits : 0;
  if (width < 0 || width > limit) inputError("TF154", `bit-field ${name} has the wrong width or type`, range);
  return { name, type, width, align, packed };
}

function applyAttributes(cx: Context, type: Type, attributes: readonly Attribute[]): Type {
  let result = type;
  for (const attribute of attributes) {
    if (attribute.name === "mode") result = typeOfMode(cx, result, attribute);
    if (attribute.name === "vector_size") {
      unsupported("TF251", "vector types are not supported", attribute.range);
    }
  }
  return result;
}

/** A typedef may lower or raise the alignment of its type; elsewhere it can only be raised. */
export function typedefType(cx: Context, type: Type, specifiers: Specifiers): Type {
  const align = requestedAlign(cx, specifiers.attributes);
  return align === null ? type : withAlign(type, align);
}

/** `__attribute__((mode(DI)))` selects a width. */
function typeOfMode(cx: Context, type: Type, attribute: Attribute): Type {
  const argument = attribute.arguments[0];
  const mode = argument?.kind === "identifier" ? argument.name.replaceAll("_", "") : "";
  const types = cx.unit.types;
  const signed = type.kind !== "int" || type.signed;
  const pick = (a: IntType, b: IntType) => (signed ? a : b);
  switch (mode) {
    case "QI":
    case "byte":
      return pick(types.signedChar, types.unsignedChar);
    case "HI":
      return pick(types.short, types.unsignedShort);
    case "SI":
      return pick(types.int, types.unsignedInt);
    case "DI":
      return types.long.bits === 64
        ? pick(types.long, types.unsignedLong)
        : pick(types.longLong, types.unsignedLongLong);
    case "TI":
      return pick(types.int128, types.unsignedInt128);
    case "word":
    case "pointer":
      return pick(types.long, types.unsignedLong);
    case "SF":
      return types.float;
    case "DF":
      return types.double;
    default:
      return type;
  }
}

function requestedAlign(cx: Context, attributes: readonly Attribute[]): number | null {
  let align: number | null = null;
  for (const attribute of attributes) {
    if (attribute.name !== "aligned") continue;
    const argument = attribute.arguments[0];
    const value = argument === undefined ? 16n : tryConstantInteger(cx, argument);
    if (value !== null && value > 0n) align = Math.max(align ?? 1, Number(value));
  }
  return align;
}

export function nameOf(declarator: Declarator): string | null {
  let at = declarator;
  while (at.kind !== "name") at = at.of;
  return at.name;
}

/** The declared type: declarators nest around the name, the outermost applies to the specifiers' type. */
export function typeOfDeclarator(cx: Context, base: Type, declarator: Declarator): Type {
  let type = base;
  for (let at = declarator; at.kind !== "name"; at = at.of) {
    if (at.kind === "pointer") type = hasQualifier(at) ? withQualifier(pointerTo(type)) : pointerTo(type);
    else if (at.kind === "array") type = arrayType(cx, type, at.length, at.range);
    else type = functionTypeOf(cx, type, at);
  }
  return type;
}

function arrayType(cx: Context, element: Type, length: Expr | null, range: SourceRange): Type {
  if (
    element.kind === "function" ||
    element.kind === "void" ||
    (element.kind === "struct" && element.layout === null)
  ) {
    inputError("TF153", "the elements of an array have an incomplete type", range);
  }
  if (length === null) return { kind: "array", element, length: null };
  const constant = tryConstantInteger(cx, length);
  if (constant !== null) {
    if (constant < 0n) inputError("TF155", "an array has a negative length", length.range);
    return { kind: "array", element, length: Number(constant) };
  }
  if (cx.owner === null) inputError("TF150", "the length of an array at file level is not constant", length.range);
  const value = lowerScalar(cx, length);
  if (value.type.kind !== "int" && value.type.kind !== "bool") {
    inputError("TF156", "the length of an array is not an integer", length.range);
  }
  const count = newTemporary(cx, value.type, length.range);
  emit(cx, { kind: "assign", target: count.id, value }, length.range);
  const type: RuntimeArrayType = { kind: "array", element, length: null, count: read(count) };
  return type;
}

function functionTypeOf(cx: Context, result: Type, at: Declarator & { kind: "function" }): FunctionType {
  // A parameter's length may name an earlier parameter; its value does not matter in a prototype.
  const scratch = { ...scratchOf(cx), owner: cx.owner ?? (0 as NonNullable<Context["owner"]>) };
  scratch.scope = { parent: cx.scope, names: new Map(), tags: cx.scope.tags };
  const parameters = at.parameters.map((parameter) => parameterType(scratch, parameter));
  return { kind: "function", result, parameters, variadic: at.variadic, unprototyped: at.unprototyped };
}

/** Also binds the parameter's name, for the types of later parameters. */
function parameterType(cx: Context, parameter: ParameterDeclaration): Type {
  const type = decay(typeOfDeclarator(cx, typeOfSpecifiers(cx, parameter.specifiers), parameter.declarator));
  const name = nameOf(parameter.declarator);
  if (name !== null && type.kind !== "function" && type.kind !== "array" && type.kind !== "void") {
    if (type.kind !== "struct") {
      const place = { kind: "register", type, variable: newTemporary(cx, type, parameter.range).id } as const;
      cx.scope.names.set(name, { kind: "local", place });
    }
  }
  return type;
}

/** A library type in the program's data model. */
export function typeOfLibrary(name: LibraryType, types: BasicTypes): Type {
  switch (name) {
    case "void":
      return voidType;
    case "pointer":
      return pointerTo(voidType);
    case "string":
      return pointerTo(types.char);
    case "int":
      return types.int;
    case "unsigned int":
      return types.unsignedInt;
    case "long":
      return types.long;
    case "unsigned long":
      return types.unsignedLong;
    case "long long":
      return types.longLong;
    case "unsigned long long":
      return types.unsignedLongLong;
    case "size":
      return types.size;
    case "float":
      return types.float;
    case "double":
      return types.double;
    case "long double":
      return types.longDouble;
    default:
      return assertNever(name, "library type");
  }
}

export function typeOfOperand(cx: Context, expr: Expr): Type {
  if (expr.kind === "identifier") {
    const entity = lookup(cx.scope, expr.name);
    if (entity?.kind === "local") return entity.place.type;
    if (entity !== null) return entity.type;
  }
  const scratch = scratchOf(cx);
  if (isPlaceExpr(scratch, expr)) return lowerPlace(scratch, expr).type;
  const value = lowerExpr(scratch, expr);
  if (value.kind === "scalar") return value.expression.type;
  return value.kind === "struct" ? value.type : { kind: "void" };
}
