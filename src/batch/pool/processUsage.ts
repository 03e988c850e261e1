import { readdirSync, readFileSync } from "node:fs";
import { endProcess } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { isSystemError } from "../../base/files.ts";

/** Processor seconds and memory of a process with all that it started. */
export type ProcessUsage = { readonly processorSeconds: number; readonly megabytes: number };

const ticksPerSecond = 100;
const pageMegabytes = 4096 / 2 ** 20;

/** null if the system does not tell (only Linux does). */
export function usageOf(id: number): ProcessUsage | null {
  let ticks = 0;
  let pages = 0;
  let known = false;
  for (const each of treeOf(id)) {
    const fields = statOf(each);
    if (fields === null) continue;
    known = true;
    // utime, stime, and those of ended children that it waited for.
    ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    pages += Number(fields[21]);
  }
  return known ? { processorSeconds: ticks / ticksPerSecond, megabytes: pages * pageMegabytes } : null;
}

/** A process and its descendants. */
function treeOf(id: number): readonly number[] {
  const found = [id];
  for (let i = 0; i < found.length; i++) {
    const at = nth(found, i);
    for (const thread of threadsOf(at)) found.push(...thread);
  }
  return found;
}

/** What each thread of a process started. */
function threadsOf(id: number): readonly (readonly number[])[] {
  return foldersIn(`/proc/${id}/task`).map((thread) => {
    const listed = textOf(`/proc/${id}/task/${thread}/children`) ?? "";
    return listed.trim().split(" ").filter(Boolean).map(Number);
  });
}

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

/** The fields of /proc/ID/stat from the third one, the state. */
function statOf(id: number): readonly string[] | null {
  const text = textOf(`/proc/${id}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

/** Ends a process that leads a group, its group, and what it started in other groups. */
export function endTree(id: number): void {
  const tree = treeOf(id);
  endProcess(-id);
  for (const each of tree) endProcess(each);
}
