import { describe, expect, it } from "vitest";
import { decodeCharacter, decodeStrings } from "../../../src/c/preprocess/decodeLiteral.ts";

const range = { file: "test.c", line: 1, column: 1, endLine: 1, endColumn: 1 };

const CHARACTERS: readonly (readonly [string, number, string])[] = [
  ["'a'", 97, ""],
  ["'\\n'", 10, ""],
  ["'\\0'", 0, ""],
  ["'\\101'", 65, ""],
  ["'\\x41'", 65, ""],
  ["'\\377'", -1, ""],
  ["'\\xff'", -1, ""],
  ["'\\''", 39, ""],
  ["'\"'", 34, ""],
  ["'\\?'", 63, ""],
  ["'\\e'", 27, ""],
  ["'\\q'", 113, ""],
  ["'ab'", 0x6162, ""],
  ["'abcd'", 0x61626364, ""],
  ["'\\xff\\xff\\xff\\xff'", -1, ""],
  ["'é'", 0xc3a9, ""],
  ["L'é'", 0xe9, "L"],
  ["L'\\xffffffff'", -1, "L"],
  ["u'\\u263a'", 0x263a, "u"],
  ["U'\\U0001F600'", 0x1f600, "U"],
];

describe("a character constant", () => {
  it.each(CHARACTERS)("%s is %i", (text, value, prefix) => {
    expect(decodeCharacter(text, range)).toEqual({ value, prefix });
  });

  it("has at least one character", () => {
    expect(() => decodeCharacter("''", range)).toThrow("empty character constant");
  });
});

const STRINGS: readonly (readonly [readonly string[], readonly number[], string])[] = [
  [['""'], [], ""],
  [['"ab"', '"c"'], [97, 98, 99], ""],
  [['"\\x4"', '"1"'], [4, 49], ""],
  [['"\\1234"'], [0o123, 52], ""],
  [['"\\x123"'], [0x23], ""],
  [['"é"'], [0xc3, 0xa9], ""],
  [['"\\u00e9"'], [0xc3, 0xa9], ""],
  [['u8"\\u263a"'], [0xe2, 0x98, 0xba], ""],
  [['L"a"', '"\\u263a"'], [97, 0x263a], "L"],
  [['"a"', 'L"b"'], [97, 98], "L"],
  [['u"\\U0001F600"'], [0xd83d, 0xde00], "u"],
  [['U"\\U0001F600"'], [0x1f600], "U"],
  [['"a\\\nb"'], [97, 98], ""],
  [['"\\""'], [34], ""],
];

describe("a string literal", () => {
  it.each(STRINGS)("%j", (literals, units, prefix) => {
    expect(decodeStrings(literals, range)).toEqual({ units, prefix });
  });
});
