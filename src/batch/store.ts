import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { TracefoldError } from "../base/errors.ts";
import { isSystemError } from "../base/files.ts";
import { isRunning } from "../base/isRunning.ts";
import type { TaskResult } from "./task.ts";

/** A result without its report, which stays in the file. */
export type StoredResult = Omit<TaskResult, "report"> & { readonly hasReport: boolean };

/** The results of a batch in one file, one line each; the first one of a key counts. */
export type ResultStore = {
  readonly results: ReadonlyMap<string, StoredResult>;
  /** Appends a result; false if there is one already. */
  readonly add: (result: TaskResult) => boolean;
  /** The report of a result as it was stored, compressed; null if it has none. */
  readonly report: (key: string) => string | null;
  readonly close: () => void;
};

type Place = { readonly at: number; readonly length: number };

const fileName = "results.jsonl";
const lockName = "lock";
/** What is written survives the end of the process at once, and that of the machine after this time. */
const syncMilliseconds = 1000;
const newline = 10;

/** Opens the store of a folder for this process alone. Unless it is resumed, earlier results get another name. */
export function openStore(folder: string, resumes = true): ResultStore {
  const lock = join(folder, lockName);
  try {
    mkdirSync(folder, { recursive: true });
    takeLock(lock, folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
  try {
    if (!resumes) setAside(folder);
    const file = openSync(join(folder, fileName), "a+");
    return storeIn(file, folder, () => rmSync(lock, { force: true }));
  } catch (error) {
    rmSync(lock, { force: true });
    throw unwritable(folder, error);
  }
}

function setAside(folder: string): void {
  if (!existsSync(join(folder, fileName))) return;
  let number = 1;
  while (existsSync(join(folder, `results.${number}.jsonl`))) number++;
  renameSync(join(folder, fileName), join(folder, `results.${number}.jsonl`));
}

function storeIn(file: number, folder: string, unlock: () => void): ResultStore {
  const results = new Map<string, StoredResult>();
  const places = new Map<string, Place>();
  const keep = ({ report, ...result }: TaskResult, place: Place) => {
    if (results.has(result.key)) return;
    results.set(result.key, { ...result, hasReport: report !== null });
    places.set(result.key, place);
  };
  let end = 0;
  for (const { line, at, length } of linesOf(file)) {
    const result = parsed(line);
    if (result !== null) keep(result, { at, length });
    end = at + length;
  }
  // A line without an end was being written when the machine stopped: its task is done again.
  ftruncateSync(file, end);
  let synced = performance.now();
  return {
    results,
    add(result) {
      if (results.has(result.key)) return false;
      const bytes = Buffer.from(`${JSON.stringify(result)}\n`, "utf8");
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done);
        if (performance.now() - synced > syncMilliseconds) {
          fsyncSync(file);
          synced = performance.now();
        }
      } catch (error) {
        ftruncateSync(file, end);
        throw unwritable(folder, error);
      }
      keep(result, { at: end, length: bytes.length });
      end += bytes.length;
      return true;
    },
    report(key) {
      const place = places.get(key);
      if (place === undefined) return null;
      const bytes = Buffer.alloc(place.length);
      readSync(file, bytes, 0, place.length, place.at);
      return (JSON.parse(bytes.toString("utf8")) as TaskResult).report;
    },
    close() {
      try {
        fsyncSync(file);
        closeSync(file);
      } finally {
        unlock();
      }
    },
  };
}

/** The complete lines of a file. */
function* linesOf(file: number): Generator<Place & { readonly line: string }> {
  const chunk = Buffer.alloc(2 ** 20);
  let rest: Buffer = Buffer.alloc(0);
  let at = 0;
  for (let read = 0; ; ) {
    const count = readSync(file, chunk, 0, chunk.length, read);
    if (count === 0) return;
    read += count;
    rest = Buffer.concat([rest, chunk.subarray(0, count)]);
    let start = 0;
    for (let stop = rest.indexOf(newline); stop >= 0; stop = rest.indexOf(newline, start)) {
      yield { line: rest.toString("utf8", start, stop), at, length: stop + 1 - start };
      at += stop + 1 - start;
      start = stop + 1;
    }
    rest = rest.subarray(start);
  }
}

/** null for a line that is no result. */
function parsed(line: string): TaskResult | null {
  try {
    const data = JSON.parse(line) as Partial<TaskResult> | null;
    return typeof data?.key === "string" && "answer" in data ? (data as TaskResult) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A lock of a process that is gone is taken over. */
function takeLock(path: string, folder: string): void {
  const own = JSON.stringify({ process: process.pid, host: hostname() });
  for (;;) {
    try {
      writeFileSync(path, own, { flag: "wx" });
      return;
    } catch (error) {
      if (isSystemError(error) && error.code !== "EEXIST") rmSync(path, { force: true });
      if (!isSystemError(error) || error.code !== "EEXIST") throw error;
    }
    const { process: id, host } = ownerOf(path);
    if (host !== hostname() || isRunning(id))
      throw new TracefoldError({
        code: "TF100",
        message: `another batch writes to ${folder}: process ${id} on ${host}`,
        help: `Wait for it, give another folder with --store, or remove ${path} if that process is gone.`,
      });
    rmSync(path, { force: true });
  }
}

function ownerOf(path: string): { readonly process: number; readonly host: string } {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { readonly process: number; readonly host: string };
  } catch (error) {
    // It is being written, or was left empty by a process that died between two steps.
    if (error instanceof SyntaxError || isSystemError(error)) return { process: 0, host: "an unknown machine" };
    throw error;
  }
}

function unwritable(folder: string, error: unknown): unknown {
  if (!isSystemError(error) || error instanceof TracefoldError) return error;
  const full = error.code === "ENOSPC" || error.code === "EFBIG" || error.code === "EDQUOT";
  return new TracefoldError({
    code: "TF133",
    message: `--store: cannot write to ${folder} (${full ? "there is no room left" : error.code})`,
    help: "The results that it has are kept: the same command goes on from there.",
  });
}
