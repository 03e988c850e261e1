import type { Budget } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { Change } from "../../changes/change.ts";
import { byPromise, probabilityCorrect } from "../../changes/kinds.ts";
import type { ChangeSource } from "../../frontEnd/frontEnd.ts";
import { createSwitchedRuns } from "../../interpreter/rerun/switchedRuns.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import type { Judges } from "./judgeChanges.ts";

/**
 * Changes that pass all tests are compared on further inputs, for which nobody knows the right output. Right changes
 * agree with each other, whatever they look like and wherever they are. Changes that pass by accident differ from them,
 * and from each other (plausible patches are clustered by behaviour; compare CodeT, Chen et al., ICLR 2023).
 */
const mostChanges = 150;
const mostProbes = 24;
/** The cost of a change's version in the program, and of a re-run, in steps. */
const versionCost = 4_000;
const rerunCost = 500;
/** Changes of types, sizes and macros need programs of their own. */
const mostReloaded = 20;
const reloadCost = 150_000;
const stepFactor = 4;
const spareSteps = 500;

/** The share of votes for the behaviour of each change; nothing is known about changes that are not in the map. */
export function agreements(
  { frontEnd, project }: ChangeSource,
  passing: readonly Change[],
  judges: Judges,
  budget: Budget,
): ReadonlyMap<Change, number> {
  const inputs = probesFrom([judges.failing, ...judges.others].flatMap(({ run }) => run.stdin ?? []));
  const asked = passing.toSorted(byPromise).slice(0, mostChanges);
  if (inputs.length === 0 || asked.length < 2) return new Map();
  budget.spend(versionCost * asked.length);
  const { undefinedBehaviour } = judges;
  const { program, selections } = frontEnd.loadSwitched(project, asked);
  const switched = createSwitchedRuns(program, { undefinedBehaviour });
  let reloaded = 0;
  const changes = asked.flatMap((change, i) => {
    const versions = nth(selections, i);
    if (versions !== null) return [{ change, versions, runs: switched, answers: [] as string[] }];
    if (reloaded++ >= mostReloaded || budget.isCancelled()) return [];
    budget.spend(reloadCost);
    const runs = createSwitchedRuns(frontEnd.load(frontEnd.changed(project, change)), { undefinedBehaviour });
    return [{ change, versions: [], runs, answers: [] as string[] }];
  });
  const longest = Math.max(...[judges.failing, ...judges.others].map(({ steps }) => steps));
  const { expected: _, ...usual } = judges.failing.run;
  for (const stdin of inputs) {
    const answers = changes.map(({ versions, runs }) => {
      if (budget.isCancelled()) return null;
      const printed: string[] = [];
      const options: RunOptions = {
        ...usual,
        stdin,
        maxSteps: stepFactor * longest + spareSteps,
        onOutput: (bytes) => printed.push(Buffer.from(bytes).toString("latin1")),
      };
      const { end, steps } = runs.run(options, versions);
      budget.spend(rerunCost + steps);
      return end === "exit" ? printed.join("").trim().replaceAll(/\s+/g, " ") : null;
    });
    if (budget.isCancelled()) break;
    // An input that most programs cannot deal with is not one that the program is for.
    if (answers.filter((answer) => answer !== null).length * 2 < answers.length) continue;
    for (const [i, { answers: own }] of changes.entries()) own.push(nth(answers, i) ?? "failure");
  }
  return sharesOf(changes.map(({ change, answers }) => ({ change, behaviour: answers.join("\n") })));
}

/** Each kind of change has one vote at a line, with the weight of its probability to be right. */
function sharesOf(
  changes: readonly { readonly change: Change; readonly behaviour: string }[],
): ReadonlyMap<Change, number> {
  const votes = new Map<string, Map<string, number>>();
  for (const { change, behaviour } of changes) {
    const voter = `${change.file}:${change.lines[0]} ${change.kind}`;
    remembered(votes, behaviour, () => new Map()).set(voter, probabilityCorrect(change.kind));
  }
  const sums = new Map([...votes].map(([behaviour, own]) => [behaviour, [...own.values()].reduce((a, b) => a + b, 0)]));
  const all = [...sums.values()].reduce((a, b) => a + b, 0);
  return new Map(changes.map(({ change, behaviour }) => [change, (sums.get(behaviour) ?? 0) / Math.max(all, 1e-9)]));
}

/** Longer inputs are not varied. */
const longestInput = 2_000;

/** Inputs that differ from those of the tests in one or two words; every second one comes from the first input. */
function probesFrom(inputs: readonly Uint8Array[]): readonly Uint8Array[] {
  const texts = inputs
    .filter(({ length }) => length <= longestInput)
    .map((each) => Buffer.from(each).toString("latin1"));
  if (texts.length === 0) return [];
  const random = numbersFrom(1);
  const known = new Set(texts);
  const probes: Uint8Array[] = [];
  for (let tries = 0; tries < 4 * mostProbes && probes.length < mostProbes; tries++) {
    const text = nth(texts, tries % 2 === 0 ? 0 : ((tries - 1) / 2) % texts.length);
    const once = varied(text, random);
    const probe = random(3) === 0 ? varied(once, random) : once;
    if (known.has(probe)) continue;
    known.add(probe);
    probes.push(Buffer.from(probe, "latin1"));
  }
  return probes;
}

/** One word of the text is another one. */
function varied(text: string, random: (below: number) => number): string {
  const words = [...text.matchAll(/\S+/g)];
  if (words.length === 0) return text;
  const { 0: word, index } = nth(words, random(words.length));
  const other = nth(words, random(words.length))[0];
  return text.slice(0, index) + variedWord(word, other, random) + text.slice(index + word.length);
}

function variedWord(word: string, other: string, random: (below: number) => number): string {
  if (/^-?\d{1,15}$/.test(word)) {
    const number = Number(word);
    const isNumber = /^-?\d{1,15}$/.test(other);
    const choices = [
      number + 1,
      number - 1,
      number + 2,
      Math.floor(number / 2),
      2 * number,
      isNumber ? Number(other) : 1,
    ];
    const chosen = nth(choices, random(choices.length));
    return `${number >= 0 ? Math.max(chosen, 0) : chosen}`;
  }
  const at = random(word.length);
  const letter = nth([...word], random(word.length));
  const choices = [
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.length > 1 ? word.slice(0, at) + word.slice(at + 1) : word,
    word.slice(0, at) + nextLetter(nth([...word], at)) + word.slice(at + 1),
  ];
  return nth(choices, random(choices.length));
}

function nextLetter(letter: string): string {
  return /[a-yA-Y0-8]/.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 1) : letter;
}

/** A small generator of numbers from 0 up to a limit: the same for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
