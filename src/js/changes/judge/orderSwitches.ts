import { ochiai } from "../../../changes/ochiai.ts";
import type { TestId, WorkerFile } from "../../runners/runner.ts";
import type { JudgeOptions } from "./judgeWorker.ts";

type Switches = JudgeOptions["switches"];

/** The places that each test reaches, in the order in which they were last reached. */
export type Reached = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** The key of a test in these. */
export function keyOf({ file, name }: Pick<TestId, "file" | "name">): string {
  return `${file}\n${name}`;
}

/** As for functions (`suspicionOf`), but finer. */
export function suspicionOfPlaces({ tests }: WorkerFile, reached: Reached): (place: number) => number {
  const counts = new Map<number, { failed: number; passed: number }>();
  let failing = 0;
  for (const { id, state: result } of tests) {
    if (result === "failed") failing++;
    for (const place of reached.get(keyOf(id))?.keys() ?? []) {
      const count = counts.get(place) ?? { failed: 0, passed: 0 };
      counts.set(place, count);
      count[result]++;
    }
  }
  return (place) => {
    const { failed, passed } = counts.get(place) ?? { failed: 0, passed: 0 };
    return failed === 0 ? 0 : ochiai(failed, passed, failing);
  };
}

/** Among so many changes, suspicion decides which come first. */
const nearby = 200;

/**
 * What is tried with modules that are loaded anew: code that runs at load, and, in turns with it, what the target
 * reached, because a cache may keep what was computed without the change.
 */
export function toLoad(switches: Switches, load: ReadonlySet<number>, reached: Switches): readonly number[] {
  const atLoad = switches.flatMap(([number, place]) => (load.has(place) ? [number] : []));
  const later = reached.map(([number]) => number);
  return Array.from({ length: Math.max(atLoad.length, later.length) }, (_, i) => [atLoad[i], later[i]])
    .flat()
    .filter((number) => number !== undefined);
}

/** The changes of places that the target reached, those of suspicious places earlier. */
export function inOrder(
  switches: Switches,
  places: ReadonlyMap<number, number>,
  suspicion: (place: number) => number,
): Switches {
  return switches
    .filter(([, place]) => places.has(place))
    .map((each, index) => ({ each, key: (index + nearby) / (suspicion(each[1]) ** 2 + 0.05) }))
    .sort((a, b) => a.key - b.key)
    .map(({ each }) => each);
}
