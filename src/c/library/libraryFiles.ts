import { nth } from "../../base/checked.ts";
import { fuzzEntry, libraryFolder } from "../../ir/reservedNames.ts";
import type { Entry } from "./entry.ts";
import { entryName } from "./table.ts";
import { checkFramework } from "./testFrameworks/check.ts";
import { cmocka } from "./testFrameworks/cmocka.ts";
import type { TestFramework } from "./testFrameworks/framework.ts";
import { greatest } from "./testFrameworks/greatest.ts";
import { munit } from "./testFrameworks/munit.ts";
import { unity } from "./testFrameworks/unity.ts";
import { calendar, calendarSource } from "./writtenInC/calendar.ts";
import { commandLine, commandLineSource } from "./writtenInC/commandLine.ts";
import { fuzzingSource } from "./writtenInC/fuzzing.ts";
import { quotients, quotientsSource } from "./writtenInC/quotients.ts";
import { signals, signalsSource } from "./writtenInC/signals.ts";
import { sorting, sortingSource } from "./writtenInC/sorting.ts";
import { surroundings, surroundingsSource } from "./writtenInC/surroundings.ts";
import { wideStrings, wideStringsSource } from "./writtenInC/wideStrings.ts";

/** Library functions written in C: they call back, return structs or are simple. Only mentioned files are parsed. */
export type LibraryFile = { readonly path: string; readonly text: string; readonly names: readonly string[] };

function file(name: string, entries: readonly Entry[], text: string): LibraryFile {
  return { path: `${libraryFolder}${name}.c`, text, names: entries.map(entryName) };
}

export const libraryFiles: readonly LibraryFile[] = [
  file("callback", sorting, sortingSource),
  file("calendar", calendar, calendarSource),
  file("commandLine", commandLine, commandLineSource),
  file("quotients", quotients, quotientsSource),
  file("signals", signals, signalsSource),
  file("surroundings", surroundings, surroundingsSource),
  file("wideStrings", wideStrings, wideStringsSource),
];

const testFrameworks: Readonly<Record<string, TestFramework>> = {
  unity,
  greatest,
  munit,
  cmocka,
  check: checkFramework,
};

/** The parts of unit-test frameworks that programs link. */
export const frameworkFiles: readonly LibraryFile[] = Object.entries(testFrameworks).flatMap(
  ([name, { source, mentions }]) =>
    source === null ? [] : [{ path: `${libraryFolder}${name}.c`, text: source, names: mentions }],
);

/** Only a run with `--fuzz-input` needs it. */
const fuzzing: LibraryFile = { path: `${libraryFolder}fuzzing.c`, text: fuzzingSource, names: [fuzzEntry] };

const allFiles = [...libraryFiles, ...frameworkFiles, fuzzing];

const mentioned = allFiles.map(({ names }) => new RegExp(`\\b(${names.join("|")})\\b`));

export function mentionedFiles(texts: readonly string[]): readonly LibraryFile[] {
  return allFiles.filter((_, i) => texts.some((text) => nth(mentioned, i).test(text)));
}

/**
 * Our header in place of a framework's own. `text` is the file that the program would include, null if there is none; a
 * header of the same name that is not the framework's stays.
 */
export function frameworkHeader(path: string, text: string | null): string | null {
  const name = baseName(path);
  const framework = Object.values(testFrameworks).find(({ headers }) => Object.hasOwn(headers, name));
  if (framework === undefined || (text !== null && !framework.signature.test(text))) return null;
  return framework.headers[name]?.() ?? null;
}

/** True for a source file of a framework; ours takes its place. */
export function isFrameworkFile({ path, text }: { readonly path: string; readonly text: string }): boolean {
  const name = baseName(path);
  return Object.values(testFrameworks).some(({ files, signature }) => files.includes(name) && signature.test(text));
}

function baseName(path: string): string {
  return path.replace(/^.*[\\/]/, "");
}
