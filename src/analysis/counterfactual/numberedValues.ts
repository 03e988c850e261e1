import type { Program } from "../../ir/program.ts";
import type { ScalarType } from "../../ir/type.ts";

/**
 * Whether numbers of the type only stand for values, as those of JavaScript's texts and objects do: one more than an object is
 * another value, and that is all there is to say about it.
 */
export function isNumbering({ language }: Program, type: ScalarType): boolean {
  return language === "typescript" && type.kind === "int" && type.enumerators !== undefined;
}
