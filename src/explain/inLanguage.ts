import { firstObject } from "../frontend/js/encoding.ts";
import type { Edge, Program } from "../ir/program.ts";
import { sourceTextAt } from "../ir/sourceText.ts";

/** A formula in the syntax of the program's language: `account.balance === 0` where the model has a table of balances. */
export function inLanguage(program: Program, text: string): string {
  if (program.language !== "typescript") return text;
  const names = namesOf(program);
  return text
    .replace(/\(\$(\w+) \+ \((\w+) - \d{16}\)\)->\1/g, "$2.$1")
    .replace(/\$([A-Za-z_]\w*)\[(\d+)\]/g, (all, field: string, row: string) => {
      const object = names.get(`${firstObject + Number(row)}`);
      return object === undefined ? all : `${object}.${field}`;
    })
    .replace(/\b\d{16}\b/g, (number) => names.get(number) ?? number)
    .replace(/ ([!=])= /g, " $1== ");
}

/** A change that was tried: a number that stands for an object says nothing to anyone. */
export function changeInLanguage(program: Program, text: string): string {
  if (program.language !== "typescript") return text;
  const named = inLanguage(program, text);
  return /\b\d{16}\b/.test(named) ? "with another value here" : named;
}

/** Counts what the model made so far: no fact of the program. */
export function isBookkeeping(program: Program, text: string): boolean {
  return program.language === "typescript" && /\$(objects|arrays)\b/.test(text);
}

/** What an edge comes from, as written; null where the language is the model's own. */
export function sourceStatement(program: Program, { operation, range }: Edge): string | null {
  const source = program.language === "typescript" ? sourceTextAt(program, range) : null;
  if (source === null || operation.kind !== "assume") return source;
  return operation.negated ? `[!(${source})]` : `[${source}]`;
}

const known = new WeakMap<Program, ReadonlyMap<string, string>>();

/** Names of the numbers that stand for values. */
function namesOf(program: Program): ReadonlyMap<string, string> {
  let names = known.get(program);
  if (names === undefined) {
    const types = program.variables.flatMap(({ type }) => (type.kind === "int" ? (type.enumerators ?? []) : []));
    names = new Map(types.map(({ name, value }) => [`${value}`, name]));
    known.set(program, names);
  }
  return names;
}
