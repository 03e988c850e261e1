import { stripVTControlCharacters } from "node:util";

/**
 * The lines of source that a screen of `explain` shows, as `file.ts:12`: its rows, suspects and what would change them. A row
 * without a file is in that of the row above where it has a number alone, and in that of the failure where it names a function.
 */
export function screenPlaces(screen: string): ReadonlySet<string> {
  const places = new Set<string>();
  let failing: string | null = null;
  let file: string | null = null;
  for (const line of stripVTControlCharacters(screen).split("\n")) {
    const named = [...line.matchAll(/([\w.@-]+\.[cm]?[jt]sx?)(?: [^\s:]+)?:(\d+)/g)];
    for (const [, name, number] of named) {
      file = name!;
      failing ??= name!;
      places.add(`${name}:${number}`);
    }
    const bare = named.length === 0 ? /^ {3} *([\w.#<>$]+:)?(\d+) {2,}\S/.exec(line) : null;
    if (bare === null) continue;
    if (bare[1] !== undefined) file = failing;
    if (file !== null) places.add(`${file}:${bare[2]}`);
  }
  return places;
}
