import { basename, relative, resolve } from "node:path";
import type { TaskCommand } from "../task.ts";

export type TaskSettings = {
  /** null: verify for task definitions, otherwise explain. */
  readonly command: TaskCommand | null;
  readonly tests: string | null;
  /** Options for every task. */
  readonly options: readonly string[];
};

/** The name that a path has in tables. */
export function nameOfPath(path: string): string {
  const name = relative(process.cwd(), resolve(path));
  return name.startsWith("..") ? path : name === "" ? basename(path) : name;
}
