import { int, long } from "../../generator/intTypes.ts";
import { type ClaimBuilder, name } from "./claimBuilder.ts";
import { constant, index, scalar, target } from "./values.ts";

/** Calls of the library whose sizes, places or strings depend on inputs. */
export function useLibrary(b: ClaimBuilder): string[] {
  return b.choices.weighted<() => string[]>([
    [3, () => copyBytes(b)],
    [2, () => chosenBuffer(b)],
    [2, () => cutString(b)],
    [2, () => errorNumber(b)],
    [1, () => printedNumber(b)],
    [1, () => absolute(b)],
    [1, () => sorted(b)],
  ])();
}

/** Bytes that are copied: as many as an input says. */
function copyBytes(b: ClaimBuilder): string[] {
  const [to, from] = [name(b, "d"), name(b, "t")];
  const room = 2 + b.choices.pick(10);
  const count = b.choices.oneOf([() => scalar(b, "input"), () => `${scalar(b)} + 1`, () => `${b.choices.pick(12)}`])();
  b.features.add("copied size");
  const call = b.choices.oneOf([
    `memcpy(${to}, ${from}, ${count});`,
    `memset(${to}, ${constant(b)}, ${count});`,
    `memmove(${to} + ${b.choices.pick(2)}, ${from}, ${count});`,
    `strncpy(${to}, ${from}, ${count});`,
  ]);
  const read = target(b);
  const use = read === null ? [] : [`${read} = ${to}[${index(b, room)}];`];
  const filled = b.themes.has("unset") && b.choices.chance(60) ? "" : " = {0}";
  return [`char ${to}[${room}]${filled};`, `char ${from}[12] = "abcdefghijk";`, call, ...use];
}

/** One of two buffers. */
function chosenBuffer(b: ClaimBuilder): string[] {
  const [small, large, table] = [name(b, "d"), name(b, "d"), name(b, "w")];
  const text = "hello world".slice(0, 2 + b.choices.pick(8));
  b.features.add("buffer by index");
  const where = `${table}[${index(b, 2)}]`;
  const call = b.choices.oneOf([
    `strcpy(${where}, "${text}");`,
    `memset(${where}, 'x', ${2 + b.choices.pick(16)});`,
    `strcat(${where}, "${text}");`,
    `sprintf(${where}, "%d", ${scalar(b)});`,
  ]);
  const declared = [`char ${small}[${2 + b.choices.pick(4)}] = "a";`, `char ${large}[20] = "b";`];
  return [...declared, `char *${table}[2] = {${large}, ${small}};`, call];
}

/** A string that ends where an input says. */
function cutString(b: ClaimBuilder): string[] {
  const [text, to] = [name(b, "t"), name(b, "d")];
  const length = name(b, "s");
  const read = b.choices.oneOf([
    [`strcpy(${to}, ${text});`],
    [`int ${length} = strlen(${text});`],
    [`strcat(${to}, ${text});`],
    [`int ${length} = strcmp(${to}, ${text});`],
    [`int ${length} = strchr(${text}, 'x') == 0;`],
  ]);
  const end = index(b, 12);
  b.features.add("string length");
  if (read[0]!.includes(length)) b.scalars.push({ name: length, type: int, role: "local" });
  return [
    `char ${to}[${3 + b.choices.pick(6)}] = "q";`,
    `char ${text}[12];`,
    `memset(${text}, '${b.choices.oneOf(["x", "y"])}', 12);`,
    `${text}[${end}] = 0;`,
    ...read,
  ];
}

/** What a failed conversion leaves in `errno`. */
function errorNumber(b: ClaimBuilder): string[] {
  const [v, e] = [name(b, "v"), name(b, "e")];
  const big = b.choices.oneOf(["99999999999999999999", "-99999999999999999999"]);
  const text = `${scalar(b)} ? "${big}" : "${b.choices.pick(99)}"`;
  b.features.add("errno");
  b.scalars.push({ name: v, type: long, role: "local" }, { name: e, type: int, role: "local" });
  const test = b.choices.chance(50)
    ? [`assert(${e} ${b.choices.oneOf(["==", "!=", "<"])} ${b.choices.oneOf([0, 34])});`]
    : [];
  return ["errno = 0;", `long ${v} = strtol(${text}, 0, 10);`, `int ${e} = errno;`, ...test];
}

/** How many digits a number has decides whether they fit. */
function printedNumber(b: ClaimBuilder): string[] {
  const to = name(b, "d");
  const room = 2 + b.choices.pick(6);
  b.features.add("printed number");
  const call = b.choices.oneOf([
    `sprintf(${to}, "%d", ${scalar(b)});`,
    `snprintf(${to}, ${room}, "%d", ${scalar(b)});`,
  ]);
  return [`char ${to}[${room}];`, call];
}

function absolute(b: ClaimBuilder): string[] {
  const to = target(b);
  return to === null ? printedNumber(b) : [`${to} = abs(${scalar(b)});`];
}

/** Sorted by one of two orders. */
function sorted(b: ClaimBuilder): string[] {
  const cells = name(b, "a");
  const [up, down] = ["up", "down"].map((prefix) => name(b, prefix)) as [string, string];
  b.topLevel.push(up, down);
  for (const [f, sign] of [
    [up, ""],
    [down, "-"],
  ] as const) {
    b.definitions.push(
      `static int ${f}(const void *x, const void *y) { return ${sign}(*(const int *)x - *(const int *)y); }`,
    );
  }
  b.features.add("sort order");
  b.arrays.push({ name: cells, type: int, length: 3 });
  return [
    `int ${cells}[3] = {${constant(b)}, ${scalar(b)}, ${constant(b)}};`,
    `qsort(${cells}, 3, sizeof(int), (${index(b, 2)}) ? ${up} : ${down});`,
  ];
}
