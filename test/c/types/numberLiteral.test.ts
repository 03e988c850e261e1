import { expect, test } from "vitest";
import { basicTypesOf } from "../../../src/c/types/cType.ts";
import { parseNumberLiteral } from "../../../src/c/types/numberLiteral.ts";
import { printType } from "../../../src/ir/type.ts";

function literal(text: string, model: "LP64" | "ILP32"): string {
  const parsed = parseNumberLiteral(text, basicTypesOf(model));
  return parsed === null ? "no number" : `${printType(parsed.type)} ${parsed.value}`;
}

test.each([
  ["0", "int 0", "int 0"],
  ["2147483647", "int 2147483647", "int 2147483647"],
  ["2147483648", "long 2147483648", "long long 2147483648"],
  ["4294967296u", "unsigned long 4294967296", "unsigned long long 4294967296"],
  ["0x80000000", "unsigned int 2147483648", "unsigned int 2147483648"],
  ["0xffffffffff", "long 1099511627775", "long long 1099511627775"],
  ["0x8000000000000000", "unsigned long 9223372036854775808", "unsigned long long 9223372036854775808"],
  ["017", "int 15", "int 15"],
  ["0b101", "int 5", "int 5"],
  ["5l", "long 5", "long 5"],
  ["5LU", "unsigned long 5", "unsigned long 5"],
  ["5ull", "unsigned long long 5", "unsigned long long 5"],
  ["2147483648l", "long 2147483648", "long long 2147483648"],
  ["1.5", "double 1.5", "double 1.5"],
  ["1e3f", "float 1000", "float 1000"],
  ["0.1f", `float ${Math.fround(0.1)}`, `float ${Math.fround(0.1)}`],
  ["0x1.8p1", "double 3", "double 3"],
  [".5L", "long double 0.5", "long double 0.5"],
  ["0xe", "int 14", "int 14"],
  ["08", "no number", "no number"],
  ["1lul", "no number", "no number"],
  ["1x", "no number", "no number"],
])("%s", (text, lp64, ilp32) => {
  expect(literal(text, "LP64")).toBe(lp64);
  expect(literal(text, "ILP32")).toBe(ilp32);
});
