import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { join } from "node:path";
import type { HooksMaker, TestId } from "../runners/runner.ts";
import { functionOf } from "./functionKeys.ts";

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
const fewMilliseconds = 500;
const { now } = Date;

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
    throw new Error("the test does not end");
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

const writing =
  /^(write|append|mkdir|rm|rmdir|unlink|rename|copyFile|cp|truncate|ftruncate|symlink|link|chmod|createWriteStream)/;

/** Calls `note` when the program writes files, starts processes or opens connections to others. */
function watchEffects(note: (effect: string) => void): void {
  const watch = (object: object, names: readonly string[], before: (self: unknown, words: unknown[]) => void): void => {
    for (const name of names) {
      const original: unknown = Reflect.get(object, name);
      if (typeof original !== "function") continue;
      const watched = function (this: unknown, ...words: unknown[]): unknown {
        before(this, words);
        return Reflect.apply(original, this, words);
      };
      Reflect.set(object, name, Object.assign(watched, original));
    }
  };
  const writers = (object: object) => Object.keys(object).filter((name) => writing.test(name));
  watch(fs, writers(fs), () => note("writes files"));
  watch(fs.promises, writers(fs.promises), () => note("writes files"));
  const starters = ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"];
  watch(childProcess, starters, () => note("starts processes"));
  // A server of the test itself that the test alone talks to goes with it.
  const own = new Set<number>();
  watch(net.Server.prototype, ["listen"], (server) => {
    if (!(server instanceof net.Server)) return;
    server.once("listening", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) own.add(address.port);
    });
  });
  watch(net.Socket.prototype, ["connect"], (_, words) => {
    if (!own.has(portOf(words))) note("uses the network");
  });
  syncBuiltinESMExports();
}

/** The port of `connect(port)`, `connect({ port })`, and of Node's own calls, which give a list. */
function portOf([first]: readonly unknown[]): number {
  const target: unknown = Array.isArray(first) ? first[0] : first;
  return Number(typeof target === "object" && target !== null && "port" in target ? target.port : target);
}

export default make;
