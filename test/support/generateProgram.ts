import fc from "fast-check";
import { makeChoices } from "./generator/choices.ts";
import { globalDeclarations, localDeclarations, typeDefinitions } from "./generator/declarations.ts";
import { fileFunctions, fileNames } from "./generator/files.ts";
import { functionDefinition, globals, operationTable } from "./generator/functions.ts";
import { reportEntity } from "./generator/printing.ts";
import { type Builder, inScope } from "./generator/scope.ts";
import { indent, statements } from "./generator/statements.ts";

/** A C program whose behaviour the standard and the data model determine, and the inputs to run it with. */
export type GeneratedProgram = {
  readonly text: string;
  readonly inputs: readonly bigint[];
  /** May run into signed overflow, division by zero or a bad shift. */
  readonly wild: boolean;
  /** Names with file scope. */
  readonly topLevel: readonly string[];
};

/** The sequences of choices that programs are made from; most of them are long enough for a few functions. */
export const programChoices: fc.Arbitrary<number[]> = fc.array(fc.nat(0xffff), {
  minLength: 100,
  maxLength: 1800,
  size: "max",
});

const PRELUDE = [
  "#include <stdio.h>",
  "#include <stdlib.h>",
  "#include <string.h>",
  "extern int __VERIFIER_nondet_int(void);",
  "extern short __VERIFIER_nondet_short(void);",
  "extern char __VERIFIER_nondet_char(void);",
  "extern long __VERIFIER_nondet_long(void);",
  "typedef unsigned char byte;",
  "typedef unsigned int word;",
  "typedef long long wide;",
  "static unsigned fuel;",
  "static unsigned sum;",
  "static double tame(double d) { return d > -1e6 && d < 1e6 ? d : 0.5; }",
];

/** `files`: it writes and reads a file, and arrays inside of structs. */
export function generateProgram(sequence: readonly number[], files = false): GeneratedProgram {
  const choices = makeChoices(sequence);
  const b: Builder = {
    choices,
    wild: choices.chance(20),
    files,
    scopes: [[]],
    functions: [],
    structs: [],
    enumerators: [],
    topLevel: ["fuel", "sum", "tame", "main", ...(files ? fileNames : [])],
    operations: 0,
    names: 0,
  };
  const inputs = [...Array(16).keys()].map(() => BigInt(choices.pick(256) - 128));
  const types = typeDefinitions(b);
  const variables = globalDeclarations(b, 6);
  const table = operationTable(b);
  const count = choices.pick(4);
  const functions = [...Array(count).keys()].map(() => functionDefinition(b));
  const main = mainFunction(b);
  const below = choices.chance(40);
  const definitions = functions.flatMap((f) => f.lines);
  const lines = [
    ...PRELUDE,
    ...(files ? fileFunctions : []),
    ...types,
    ...variables,
    ...table,
    ...(below ? functions.map((f) => f.prototype) : definitions),
    ...main,
    ...(below ? definitions : []),
  ];
  return { text: `${lines.join("\n")}\n`, inputs, wild: b.wild, topLevel: b.topLevel };
}

function mainFunction(b: Builder): string[] {
  return inScope(b, () => {
    const context = {
      depth: 3,
      loop: false,
      canBreak: false,
      leave: () => b.choices.oneOf([`return ${b.choices.pick(120)};`, `exit(${b.choices.pick(120)});`]),
    };
    const body = [...localDeclarations(b, 6), ...statements(b, context, 10)];
    const locals = b.scopes.at(-1)!.flatMap(reportEntity);
    const report = [...globals(b).flatMap(reportEntity), ...locals, 'printf("= %u\\n", sum);'];
    return ["int main(void) {", ...indent(body), ...indent(report), "  return (int)(sum % 113u);", "}"];
  });
}
