import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folders, maxFiles } from "./logFormat.ts";
import type { SourceKind } from "./syntax.ts";

/** A file as it was instrumented. Its text is kept: the one on disk may change, or another plugin may have changed it. */
export type RecordedSource = {
  readonly number: number;
  readonly path: string;
  readonly kind: SourceKind;
  readonly text: string;
  /** Why nothing of it is recorded; null: it is. */
  readonly skipped: string | null;
};

/**
 * The number of a file, the same in every process that records into this folder: hooks run in several, and numbers
 * made from hashes collide. Whoever creates the entry has the number.
 */
export function numberSource(directory: string, path: string, text: string, kind: SourceKind): number | null {
  const hash = createHash("sha256").update(`${kind}\0${path}\0${text}`).digest("hex").slice(0, 32);
  const entry = join(directory, folders.sources, `${hash}.json`);
  const known = existsSync(entry) ? readSource(entry) : null;
  if (known !== null) return known.number;
  mkdirSync(join(directory, folders.sources), { recursive: true });
  mkdirSync(join(directory, folders.numbers), { recursive: true });
  const taken = readdirSync(join(directory, folders.numbers)).length;
  for (let number = taken + 1; number < maxFiles; number++) {
    try {
      writeFileSync(join(directory, folders.numbers, String(number)), hash, { flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw error;
    }
    writeSource(entry, { number, path, kind, text, skipped: null });
    return number;
  }
  return null;
}

/** A file that is left alone is listed too, with the reason. */
export function noteSkipped(
  directory: string,
  number: number,
  path: string,
  text: string,
  kind: SourceKind,
  why: string,
) {
  const hash = createHash("sha256").update(`${kind}\0${path}\0${text}`).digest("hex").slice(0, 32);
  writeSource(join(directory, folders.sources, `${hash}.json`), { number, path, kind, text, skipped: why });
}

function writeSource(entry: string, source: RecordedSource): void {
  const unfinished = `${entry}.${process.pid}.${Math.random()}`;
  writeFileSync(unfinished, JSON.stringify(source));
  renameSync(unfinished, entry);
}

function readSource(entry: string): RecordedSource | null {
  const source = JSON.parse(readFileSync(entry, "utf8")) as Partial<RecordedSource>;
  return typeof source.number === "number" && typeof source.text === "string" ? (source as RecordedSource) : null;
}

export function readSources(directory: string): readonly RecordedSource[] {
  const folder = join(directory, folders.sources);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => readSource(join(folder, name)))
    .filter((source) => source !== null)
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.number - b.number));
}
