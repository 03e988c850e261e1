import { expect, test } from "vitest";
import { commonType, promote, promoteBitField } from "../../../src/c/types/arithmeticConversions.ts";
import { type ArithmeticType, basicTypesOf, typeOfWords } from "../../../src/c/types/cType.ts";
import { type BoolType, type IntType, printType } from "../../../src/ir/type.ts";

const named = (words: string, model: "LP64" | "ILP32" = "LP64") =>
  typeOfWords(words.split(" "), basicTypesOf(model)) as ArithmeticType;

test.each([
  ["char", "int"],
  ["unsigned short", "int"],
  ["_Bool", "int"],
  ["unsigned", "unsigned int"],
  ["long", "long"],
])("%s is promoted to %s", (from, to) => {
  expect(printType(promote(named(from) as IntType | BoolType, basicTypesOf("LP64")))).toBe(to);
});

test.each([
  ["char", "char", "int", "int"],
  ["int", "unsigned", "unsigned int", "unsigned int"],
  ["long", "unsigned", "long", "unsigned long"],
  ["unsigned long", "long long", "unsigned long long", "long long"],
  ["long", "long long", "long long", "long long"],
  ["unsigned char", "short", "int", "int"],
  ["long long", "unsigned long long", "unsigned long long", "unsigned long long"],
  ["int", "float", "float", "float"],
  ["double", "long long", "double", "double"],
  ["float", "long double", "long double", "long double"],
  ["__int128", "unsigned long", "__int128", "__int128"],
])("%s with %s", (a, b, lp64, ilp32) => {
  for (const [model, expected] of [
    ["LP64", lp64],
    ["ILP32", ilp32],
  ] as const) {
    const [left, right] = [named(a, model), named(b, model)];
    expect(printType(commonType(left, right, basicTypesOf(model)))).toBe(expected);
    expect(printType(commonType(right, left, basicTypesOf(model)))).toBe(expected);
  }
});

test("promotes bit-fields by their width", () => {
  const types = basicTypesOf("LP64");
  expect(promoteBitField(types.unsignedInt, 31, types)).toBe(types.int);
  expect(promoteBitField(types.unsignedInt, 32, types)).toBe(types.unsignedInt);
  expect(promoteBitField(types.int, 32, types)).toBe(types.int);
  expect(promoteBitField(types.unsignedLong, 40, types)).toMatchObject({ bits: 64, signed: false, precision: 40 });
  expect(promoteBitField(types.bool, 1, types)).toBe(types.int);
  const wide = promoteBitField(types.unsignedLong, 40, types);
  expect(commonType(wide, types.int, types)).toBe(wide);
  expect(commonType(types.long, wide, types)).toBe(types.long);
});
