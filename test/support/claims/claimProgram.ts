import { makeChoices } from "../generator/choices.ts";
import type { IntType } from "../generator/intTypes.ts";
import { indent } from "../generator/statements.ts";
import { functionTable } from "./generator/calls.ts";
import { chosen } from "./generator/chosen.ts";
import { type ClaimBuilder, readers, type Theme, themes } from "./generator/claimBuilder.ts";
import { declareInputs } from "./generator/inputs.ts";
import { declarations, steps } from "./generator/steps.ts";

/**
 * A program that reads inputs, and does for some of them what is undefined, does not end, or ends early: `explain` has to
 * say for which inputs it fails as it did.
 */
export type ClaimProgram = {
  /** The program, with these lines at the end of `main`. */
  text(ending: readonly string[]): string;
  /** Variables of `main` that its last lines can speak about. */
  readonly observable: readonly Observable[];
  /** Numbers for the choice of the run and of the ending. */
  readonly choice: readonly number[];
  /** Names with file scope. */
  readonly topLevel: readonly string[];
  readonly features: readonly string[];
};

export type Observable = { readonly name: string; readonly type: IntType };

const prelude = [
  "#include <assert.h>",
  "#include <errno.h>",
  "#include <stdio.h>",
  "#include <stdlib.h>",
  "#include <string.h>",
  ...readers,
  "extern void __VERIFIER_assume(int);",
  "extern void reach_error(void);",
];

export function generateClaimProgram(sequence: readonly number[]): ClaimProgram {
  const choices = makeChoices(sequence);
  const choice = [...Array(6).keys()].map(() => choices.pick(1000));
  const b: ClaimBuilder = {
    choices,
    themes: chosenThemes(choices.pick),
    scalars: [],
    arrays: [],
    tables: [],
    blocks: [],
    callees: [],
    definitions: [],
    topLevel: ["main"],
    features: new Set(),
    loops: 0,
    names: 0,
  };
  const body = choices.chance(20) ? chosen(b) : anything(b);
  const head = [...prelude, ...b.definitions, "int main(void) {", ...indent(body)];
  return {
    text: (ending) => `${[...head, ...indent(ending), "  return 0;", "}"].join("\n")}\n`,
    observable: b.scalars.map(({ name, type }) => ({ name, type })),
    choice,
    topLevel: b.topLevel,
    features: [...b.features],
  };
}

function anything(b: ClaimBuilder): string[] {
  if (b.themes.has("call")) functionTable(b);
  return [...declareInputs(b), ...declarations(b), ...steps(b, 3, 2)];
}

function chosenThemes(pick: (bound: number) => number): ReadonlySet<Theme> {
  const count = 1 + pick(3);
  return new Set([...Array(count).keys()].map(() => themes[pick(themes.length)]!));
}
