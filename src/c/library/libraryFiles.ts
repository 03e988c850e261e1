import { nth } from "../../base/checked.ts";
import { libraryFolder } from "../../ir/reservedNames.ts";
import type { Entry } from "./entry.ts";
import { entryName } from "./table.ts";
import { calendar, calendarSource } from "./writtenInC/calendar.ts";
import { commandLine, commandLineSource } from "./writtenInC/commandLine.ts";
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

const mentions = libraryFiles.map(({ names }) => new RegExp(`\\b(${names.join("|")})\\b`));

export function mentionedFiles(texts: readonly string[]): readonly LibraryFile[] {
  return libraryFiles.filter((_, i) => texts.some((text) => nth(mentions, i).test(text)));
}
