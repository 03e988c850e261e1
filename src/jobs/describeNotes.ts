import { formatPlace } from "../base/sourceRange.ts";
import type { Program } from "../ir/program.ts";
import type { Approximation } from "../symbolic/stepEnvironment.ts";
import type { CompressReport } from "./compress/compressReport.ts";

/** What a reader should know of the program and of what the logic did not compute, each thing once. */
export function describeNotes(program: Program, approximations: readonly Approximation[]): CompressReport["notes"] {
  const notes = [
    ...program.notes.map(({ message, range }) => ({ message, location: range })),
    ...approximations.map(({ reason, range }) => ({ message: `${reason} is taken as unknown`, location: range })),
  ];
  const known = new Map(notes.map((note) => [`${formatPlace(note.location)}: ${note.message}`, note]));
  return [...known.values()];
}
