import { nth } from "../base/checked.ts";
import type { InputValue } from "../interpreter/inputs.ts";
import type { RunOptions } from "../interpreter/run.ts";
import { recordTrace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";

export type TestFile = { readonly name: string; readonly content: string | Uint8Array };

/** Test-Comp's exchange format: a description of the suite, and a file with the inputs of each test. */
export function testCompFiles(
  program: Program,
  tests: readonly (readonly InputValue[])[],
  version: string,
): readonly TestFile[] {
  const [file] = program.files;
  const metadata = [
    header("test-metadata"),
    "<test-metadata>",
    "  <sourcecodelang>C</sourcecodelang>",
    `  <producer>tracefold ${version}</producer>`,
    `  <specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>`,
    `  <programfile>${escaped(file?.path ?? "")}</programfile>`,
    `  <programhash>${file?.sha256 ?? ""}</programhash>`,
    `  <entryfunction>${escaped(nth(program.functions, program.entry).name)}</entryfunction>`,
    `  <architecture>${program.dataModel === "ILP32" ? "32bit" : "64bit"}</architecture>`,
    "</test-metadata>",
    "",
  ].join("\n");
  return [
    { name: "metadata.xml", content: metadata },
    ...tests.map((inputs, i) => ({ name: `test-${i + 1}.xml`, content: testCase(inputs) })),
  ];
}

function testCase(inputs: readonly InputValue[]): string {
  const lines = inputs.map((value) => `  <input>${value}</input>`);
  return [header("testcase"), "<testcase>", ...lines, "</testcase>", ""].join("\n");
}

function header(name: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    `<!DOCTYPE ${name} PUBLIC "+//IDN sosy-lab.org//DTD test-format ${name} 1.1//EN" "https://sosy-lab.org/test-format/${name}-1.1.dtd">`,
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** KLEE's test files: each input an object of its size, little endian, in the order of the reads. */
export function ktestFiles(
  program: Program,
  tests: readonly (readonly InputValue[])[],
  run: Omit<RunOptions, "inputs">,
): readonly TestFile[] {
  return tests.map((inputs, i) => {
    const read = recordTrace(program, { ...run, inputs }).inputs;
    const objects = read.map(({ value, source, function: fn, edge }) => {
      const { operation } = nth(nth(program.functions, fn).edges, edge);
      const type = operation.kind === "input" ? operation.type : null;
      const size = type?.kind === "int" ? type.bits / 8 : type?.kind === "bool" ? 1 : 8;
      return { name: source, bytes: bytesOf(value, size, type?.kind === "float" ? type.bits : null) };
    });
    const name = program.files[0]?.path ?? "program";
    return { name: `test${`${i + 1}`.padStart(6, "0")}.ktest`, content: ktest([name], objects) };
  });
}

function bytesOf(value: InputValue, size: number, float: 32 | 64 | null): Uint8Array {
  const bytes = new Uint8Array(float === null ? size : float / 8);
  const view = new DataView(bytes.buffer);
  if (float === 32) view.setFloat32(0, Number(value), true);
  else if (float === 64) view.setFloat64(0, Number(value), true);
  else {
    const bits = BigInt.asUintN(128, BigInt(value));
    for (let i = 0; i < size; i++) bytes[i] = Number((bits >> BigInt(8 * i)) & 255n);
  }
  return bytes;
}

/** Version 3 of the format: all numbers are 32-bit and big endian. */
function ktest(
  args: readonly string[],
  objects: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Uint8Array {
  const parts: Buffer[] = [Buffer.from("KTEST"), word(3), word(args.length)];
  const text = (value: string | Uint8Array) => {
    const bytes = Buffer.from(value);
    parts.push(word(bytes.length), bytes);
  };
  for (const argument of args) text(argument);
  // No symbolic arguments.
  parts.push(word(0), word(0), word(objects.length));
  for (const { name, bytes } of objects) {
    text(name);
    text(bytes);
  }
  return Buffer.concat(parts);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
