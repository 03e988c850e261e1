import fs from "node:fs";
import { join } from "node:path";
import type { HooksMaker, TestId } from "../runners/runner.ts";
import { endless } from "../trace/runtimeName.ts";
import { functionOf } from "./functionKeys.ts";
import { watchEffects } from "./watchEffects.ts";

/** Offsets of functions by their file. */
export type ReachedFunctions = Readonly<Record<string, readonly number[]>>;

/** What the tests of one file reach. */
export type SurveyedFile = {
  readonly file: string;
  readonly project: string;
  /** Outside of tests: while modules are loaded and suites are described. */
  readonly load: ReachedFunctions;
  readonly tests: readonly {
    readonly name: string;
    readonly functions: ReachedFunctions;
    /** "writes files", "starts processes", "uses the network". */
    readonly effects: readonly string[];
  }[];
};

export type SurveyOptions = { readonly folder: string };

type Globals = {
  tf$in?: (key: number) => void;
  tf$file?: (hash: number, path: string) => void;
  tf$loop?: () => void;
};

/** A test that computes longer than this does not end; only a throw can stop it. The next ones get less time. */
const mostMilliseconds = 5000;
const fewMilliseconds = 150;
const cpuUsage = process.cpuUsage.bind(process);

function now(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** Notes the functions that each test enters, and effects outside of the process. */
const make: HooksMaker = (options) => {
  const { folder } = options as SurveyOptions;
  const paths = new Map<number, string>();
  let load = new Set<number>();
  let reached = load;
  let effects: Set<string> | null = null;
  const write = fs.writeFileSync;
  const globals = globalThis as Globals;
  globals.tf$in = (key) => reached.add(key);
  let [rounds, end, milliseconds] = [0, Number.POSITIVE_INFINITY, mostMilliseconds];
  globals.tf$loop = () => {
    if ((++rounds & 4095) !== 0 || now() < end) return;
    milliseconds = fewMilliseconds;
    throw new Error(endless);
  };
  globals.tf$file = (hash, path) => paths.set(hash, path);
  watchEffects((effect) => effects?.add(effect));
  const byFile = (keys: ReadonlySet<number>): ReachedFunctions => {
    const found: Record<string, number[]> = {};
    for (const key of keys) {
      const { hash, start } = functionOf(key);
      const path = paths.get(hash);
      if (path === undefined) continue;
      const starts = found[path] ?? [];
      found[path] = starts;
      starts.push(start);
    }
    return found;
  };
  let tests: {
    readonly id: TestId;
    readonly keys: ReadonlySet<number>;
    readonly effects: ReadonlySet<string>;
  }[] = [];
  return {
    beforeTest() {
      reached = new Set();
      effects = new Set();
      end = now() + milliseconds;
    },
    afterTest(id) {
      tests.push({ id, keys: reached, effects: effects ?? new Set() });
      reached = load;
      effects = null;
      end = Number.POSITIVE_INFINITY;
    },
    afterFile({ file, tests: ran }) {
      // Modules that are loaded at all count as reached, even if they have no function.
      const loaded = Object.fromEntries([...paths.values()].map((path) => [path, [] as readonly number[]]));
      const own = tests.filter(({ id }) => id.file === file);
      const surveyed: SurveyedFile = {
        file,
        project: ran[0]?.id.project ?? "",
        load: { ...loaded, ...byFile(load) },
        tests: own.map(({ id, keys, effects: seen }) => ({
          ...{ name: id.name, functions: byFile(keys), effects: [...seen] },
        })),
      };
      write(join(folder, `survey-${process.pid}-${Date.now()}-${Math.random()}.json`), JSON.stringify(surveyed));
      tests = tests.filter(({ id }) => id.file !== file);
      // Mocha loads all files before the first test runs.
      if (tests.length > 0) return;
      load = new Set();
      reached = load;
    },
  };
};

export default make;
