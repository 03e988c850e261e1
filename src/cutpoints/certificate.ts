import { printSmtLib } from "../logic/printSmtLib.ts";
import { conjuncts, type Sort, type Term } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import type { ProgramModel } from "./programModel.ts";

/**
 * Why no run reaches an error: a conjunction at each loop head.
 *
 * - `inductive`: each holds when a head is first reached, every region carries them on, and none has an error where they hold.
 *   With `depth` k > 1 the conjunctions are inductive by themselves, and errors are excluded by k regions in a row: none of the
 *   first k + 1 has one, that of the start included, and no k + 1 in a row behind heads have their first one in the last.
 * - `bounded`: every run ends within `depth` regions, and none of these has an error.
 */
export type Certificate = {
  readonly kind: "inductive" | "bounded";
  readonly depth: number;
  /** By head, or by another location where regions are cut: SMT-LIB over the places of the program. */
  readonly invariants: ReadonlyMap<string, readonly string[]>;
  /** The sorts of the places. */
  readonly sorts: ReadonlyMap<string, Sort>;
};

export function certificateOf(
  model: ProgramModel,
  invariants: ReadonlyMap<string, readonly Term[]>,
  depth = 1,
): Certificate {
  return { kind: "inductive", depth, ...printed(model, invariants) };
}

export function boundedCertificate(
  model: ProgramModel,
  invariants: ReadonlyMap<string, readonly Term[]>,
  depth: number,
): Certificate {
  return { kind: "bounded", depth, ...printed(model, invariants) };
}

function printed(
  model: ProgramModel,
  invariants: ReadonlyMap<string, readonly Term[]>,
): Pick<Certificate, "invariants" | "sorts"> {
  const conjunctsAt = (key: string) => (invariants.get(key) ?? []).flatMap(conjuncts);
  const keys = [...new Set([...model.heads.keys(), ...invariants.keys()])];
  const all = keys.flatMap(conjunctsAt);
  return {
    invariants: new Map(keys.map((key) => [key, conjunctsAt(key).map(printSmtLib)])),
    sorts: new Map(freeVariablesOf(all).map(({ name, sort }) => [name, sort])),
  };
}

/** Characters of all conjuncts. */
export function certificateSize({ invariants }: Certificate): number {
  return [...invariants.values()].flat().reduce((sum, text) => sum + text.length, 0);
}
