import type { SuspectedLine } from "../../src/analyses/counterfactual/suspect.ts";
import { applyEdits, describeTextChange } from "../../src/changes/change.ts";
import type { Bug } from "./bugs.ts";
import type { Explained } from "./explainBug.ts";
import { withGcc } from "./gccProgram.ts";

/** A change that is said to pass all tests, and what gcc says. */
export type AppliedChange = {
  readonly bug: string;
  readonly line: number;
  readonly kind: string;
  readonly text: string;
  /** The place among the changes of its line, from 0. */
  readonly place: number;
  readonly agreement: number;
  readonly confirmed: boolean;
  readonly compiles: boolean;
  /** The first given test that fails, and how; null if all pass. */
  readonly refutedBy: string | null;
  readonly passesHeldOut: boolean;
};

/** At most this many changes of a line, the first of each kind, and of a bug. */
const mostOfLine = 5;
const mostOfBug = 14;

/** Applies the changes that are said to pass all tests to the text, compiles it with sanitizers, and runs the tests. */
export function applyChanges(bug: Bug, { suspects, tests }: Explained): readonly AppliedChange[] {
  const said = suspects.flatMap(({ range, changes }) =>
    firstOfKinds(changes.filter((each) => passesAll(each) && each.asked === tests.length - 1))
      .slice(0, mostOfLine)
      .map((each, place) => ({ ...each, place, line: range.line })),
  );
  const distinct = [...new Map(said.map((each) => [JSON.stringify(each.change.edits), each])).values()];
  return distinct.slice(0, mostOfBug).map(({ change, line, place, agreement, confirmed }) => {
    const verdict = withGcc(applyEdits(bug.text, change.edits), "sanitized", ({ run }) => {
      const refuted = tests.map((test) => ({ test, ...run(test) })).find(({ passes }) => !passes);
      return {
        refutedBy: refuted === undefined ? null : `${refuted.test.name}: ${refuted.message}`,
        passesHeldOut: bug.heldOut.every((test) => run(test).passes),
      };
    });
    const { text } = describeTextChange(bug.text, change);
    const nothing = { refutedBy: null, passesHeldOut: false };
    return {
      ...{ bug: bug.name, line, kind: change.kind, text, place, agreement, confirmed, compiles: verdict !== null },
      ...(verdict ?? nothing),
    };
  });
}

function firstOfKinds(changes: SuspectedLine["changes"]): SuspectedLine["changes"] {
  const kinds = new Set<string>();
  return changes.filter(({ change: { kind } }) => !kinds.has(kind) && kinds.add(kind));
}

/** True if all tests are said to pass with the change. */
function passesAll({ level, avoids, broken, stillFailing }: NonNullable<SuspectedLine["change"]>): boolean {
  return level === "passes" && !avoids && broken.length + stillFailing.length === 0;
}

export function applyTable(applied: readonly AppliedChange[]): string {
  const rows = (list: readonly AppliedChange[]) =>
    `${list.length} changes, ${list.filter(({ compiles }) => !compiles).length} do not compile, ${list.filter(({ refutedBy }) => refutedBy !== null).length} are false`;
  return [
    `confirmed as text: ${rows(applied.filter(({ confirmed }) => confirmed))}`,
    `others:            ${rows(applied.filter(({ confirmed }) => !confirmed))}`,
  ].join("\n");
}
