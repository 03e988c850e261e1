import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { type InputSource, type InputValue, mulberry32 } from "../../../src/interpreter/inputs.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { rangeOfInt } from "../../../src/ir/type.ts";
import type { ClaimProgram, Observable } from "./claimProgram.ts";

/** A program with inputs with which it fails. */
export type FailingRun = {
  readonly text: string;
  readonly inputs: readonly InputValue[];
  readonly topLevel: readonly string[];
  readonly features: readonly string[];
};

const attempts = 24;
const maxSteps = 400;
/** Printed before the values, so that an early exit is not taken for the end. */
const mark = "values:";

/**
 * Runs the program with small inputs until one run fails, or comes to its end, where a condition on the final values makes
 * it fail. Null where no run does either.
 */
export async function findFailingRun(program: ClaimProgram): Promise<FailingRun | null> {
  const { topLevel, features, choice, observable } = program;
  const printed = await load(program.text([`printf("${mark}\\n");`, ...observable.map(printing)]));
  const [seed = 0, preference = 0] = choice;
  const failed: (readonly InputValue[])[] = [];
  const ended: { readonly inputs: readonly InputValue[]; readonly values: readonly bigint[] }[] = [];
  for (let k = 0; k < attempts; k++) {
    const run = runProgram(printed, { inputs: smallInputs(seed * attempts + k), maxSteps });
    const inputs = run.inputs.map(({ value }) => value);
    const [before, after] = Buffer.from(run.stdout).toString("latin1").split(`${mark}\n`);
    if (["undefined-behaviour", "assertion", "abort"].includes(run.outcome.kind)) {
      if (after === undefined) failed.push(inputs);
    } else if (run.outcome.kind === "exit" && after !== undefined && before === "") {
      ended.push({ inputs, values: after.trim().split("\n").map(BigInt) });
    }
  }
  const own = { topLevel, features };
  if (failed.length > 0 && (ended.length === 0 || preference % 10 < (isAboutMemory(features) ? 7 : 3))) {
    return { ...own, text: program.text([]), inputs: failed[preference % failed.length]! };
  }
  if (ended.length === 0 || observable.length === 0) return null;
  const { inputs, values } = ended[preference % ended.length]!;
  return { ...own, text: program.text(endingFor(observable, values, choice)), inputs };
}

/** Which cell, block or size it is that fails is what claims are most often wrong about. */
function isAboutMemory(features: readonly string[]): boolean {
  return features.some((feature) => /value|block|size|buffer|length|by index/.test(feature));
}

function load(text: string) {
  return loadCText("program.c", text, { preprocess: "builtin" });
}

function printing({ name }: Observable): string {
  return `printf("%lld\\n", (long long)${name});`;
}

/** Mostly from 0 to 12; a value depends on its index and the seed alone. */
function smallInputs(seed: number): InputSource {
  return ({ index, type, within }) => {
    if (type.kind === "pointer") return 0n;
    const next = mulberry32(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
    const number = BigInt(Math.floor(next() * (next() < 0.8 ? 8 : 16)) - (next() < 0.1 ? 6 : 0));
    if (type.kind === "float") return Number(number);
    const [low, high] = within ?? rangeOfInt(type);
    return number < low || number > high ? high : number;
  };
}

/** The last lines: they fail because something is true of the final values. */
function endingFor(observable: readonly Observable[], values: readonly bigint[], choice: readonly number[]): string[] {
  const [, , first = 0, second = 0, kind = 0, slack = 0] = choice;
  const i = observable.length - 1 - (first % observable.length);
  const j = second % observable.length;
  const name = (k: number) => {
    const { name: own, type } = observable[k]!;
    return type.narrow || type.name === "int" ? own : `(long long)${own}`;
  };
  const number = (value: bigint) => (value < 0n ? `(${value}ll)` : value > 2147483647n ? `${value}ll` : `${value}`);
  const [v, w] = [values[i]!, values[j]!];
  const room = BigInt(slack % 4);
  const facts = [
    `${name(i)} >= ${number(v - room)}`,
    `${name(i)} <= ${number(v + room)}`,
    `${name(i)} == ${number(v)}`,
    `${name(i)} ${v <= w ? "<=" : ">="} ${name(j)}`,
    `${name(i)} != ${number(v + 1n + room)}`,
    `${name(i)} >= ${number(v - room)} && ${name(j)} <= ${number(w + room)}`,
  ];
  const fact = facts[kind % facts.length]!;
  if (slack % 10 === 8) return [`if (${fact}) reach_error();`];
  if (slack % 10 === 9) return [`if (${fact}) abort();`];
  return [`assert(!(${fact}));`];
}
