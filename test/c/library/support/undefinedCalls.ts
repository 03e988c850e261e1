import { writtenParameter } from "../../../../src/c/library/memoryUse.ts";
import { type LibraryFunction, libraryFunctions } from "../../../../src/c/library/table.ts";
import { includes } from "./callProgram.ts";

/** A call that C leaves undefined, as a statement. */
export type UndefinedCall = { readonly name: string; readonly what: string; readonly statement: string };

/** For every parameter that is read or written: null, a block that is freed, and a block that is too small. */
export function undefinedCalls(): readonly UndefinedCall[] {
  return [...libraryFunctions()].flatMap((known) =>
    known.header === null || known.signature.variadic ? [] : known.parameters.flatMap((_, k) => badCalls(known, k)),
  );
}

function badCalls(known: LibraryFunction, k: number): UndefinedCall[] {
  const { name } = known.parameters[k]!;
  const uses = known.memory.filter(
    (use) => ("at" in use && use.at === name) || (use.kind === "copies" && (use.from === name || use.to === name)),
  );
  // Of a null string nothing is looked for.
  if (known.name === "strsep" && name === "set") return [];
  if (uses.length === 0 || known.parameters[k]!.type === "__builtin_va_list") return [];
  const isFreed = uses.some(({ kind }) => kind === "frees");
  const isRead = uses.some((use) => writtenParameter(use) !== name);
  const mayBeNull = isFreed || known.parameters[k]!.type === "char **" || nullAllowed.has(known.name);
  const bad = [
    ...(mayBeNull ? [] : [["null", "0"]]),
    ["freed", "freed()"],
    ["too small", isFreed ? "inside()" : isRead ? "endless()" : "small()"],
  ];
  return bad.map(([what, argument]) => {
    const args = known.parameters.map((_, i) => (i === k ? argument! : goodArgument(known, i)));
    const call = `${known.name}(${args.join(", ")});`;
    // Without a use of its result a pure function would not be called.
    const used = known.signature.result === "void" ? call : `{ __typeof__(${call.slice(0, -1)}) r = ${call} use(&r); }`;
    return { name: known.name, what: `${what} ${name}`, statement: used };
  });
}

/** `strtok(NULL, …)` goes on, `perror(NULL)` prints no prefix, `freopen(NULL, …)` changes the mode,
 * `getline(NULL, …)` sets `errno`. */
const nullAllowed = new Set(["strtok", "perror", "freopen", "getline", "getdelim"]);

function goodArgument(known: LibraryFunction, i: number): string {
  const { name, type } = known.parameters[i]!;
  if (type === "FILE *") {
    if (/^f[gs]etpos$/.test(known.name)) return "tmpfile()";
    return /^(fget|fread|getline|getdelim)/.test(known.name) ? "stdin" : "stdout";
  }
  switch (known.signature.parameters[i]!) {
    case "string":
    case "pointer":
      return known.memory.some((use) => writtenParameter(use) === name) ? "room()" : '"aaaaaaaaaaaaaaaaaaaaaaaa"';
    case "size":
      return "16";
    case "int":
      return name === "base" ? "10" : "40";
    default:
      return "1.5";
  }
}

const helpers = `${includes}
static void *keep;
static void use(void *result) { keep = result; }
static void *freed(void) { char *p = malloc(64); memset(p, 'a', 63); p[63] = 0; keep = p; free(p); return keep; }
static void *inside(void) { return (char *)malloc(64) + 8; }
static void *small(void) { char *p = malloc(1); p[0] = 0; return p; }
static void *endless(void) { char *p = malloc(3); memset(p, 'a', 3); return p; }
static void *room(void) { char *p = malloc(64); memset(p, 0, 64); return p; }
`;

/** \`int run(int i)\` makes the call with the number \`i\`. */
export function undefinedProgram(calls: readonly UndefinedCall[], main: string): string {
  const cases = calls.map(({ statement }, i) => `    case ${i}: ${statement} break;`);
  return `${helpers}\nstatic void run(int i) {\n  switch (i) {\n${cases.join("\n")}\n  }\n}\n${main}`;
}
