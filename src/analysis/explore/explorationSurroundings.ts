import type { SourceRange } from "../../base/sourceRange.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Surroundings } from "../../symbolic/surroundings.ts";
import type { SymbolicObject, Symbols } from "../../symbolic/symbols.ts";
import type { PathInput } from "./pathInput.ts";

/** What a step did besides changing the state. */
export type Happening = {
  readonly inputs: readonly PathInput[];
  readonly allocated: readonly SymbolicObject[];
  /** Values that the logic does not compute: any value of the type stands for them. */
  readonly approximated: readonly Inexact[];
  /** Something that the state does not say as the program does it. */
  readonly noted: readonly Inexact[];
};

export type Inexact = { readonly reason: string; readonly range: SourceRange };

export type ExplorationSettings = {
  readonly undefinedBehaviour: "stop" | "wrap";
  /** `argc`. */
  readonly argumentCount: number;
};

/** Inputs of the same type have the same. */
export function inputTypeKey(type: ScalarType): string {
  if (type.kind === "int") return `${type.signed ? "i" : "u"}${type.bits}`;
  return type.kind === "float" ? `f${type.bits}` : type.kind;
}

const names = new WeakMap<Symbols, Map<string, Variable>>();

/** Explorations over the same symbols share them. */
function namesOf(symbols: Symbols): Map<string, Variable> {
  let known = names.get(symbols);
  if (known === undefined) {
    known = new Map();
    names.set(symbols, known);
  }
  return known;
}

/**
 * Nothing was recorded: every input is unknown. The input that is read as the n-th of a path has one name on all paths
 * that read one of its type there, so that they share formulas.
 */
export function explorationSurroundings(symbols: Symbols, settings: ExplorationSettings) {
  const named = namesOf(symbols);
  const inputVariable = (index: number, type: ScalarType): Variable => {
    const key = `${index}:${inputTypeKey(type)}`;
    let variable = named.get(key);
    if (variable === undefined) {
      variable = symbols.fresh(`input${index + 1}`, type);
      named.set(key, variable);
    }
    return variable;
  };
  return (readBefore: number): { readonly surroundings: Surroundings; readonly happening: Happening } => {
    const inputs: PathInput[] = [];
    const allocated: SymbolicObject[] = [];
    const approximated: Inexact[] = [];
    const noted: Inexact[] = [];
    const surroundings: Surroundings = {
      undefinedBehaviour: settings.undefinedBehaviour,
      tag: symbols.tag,
      pointsTo: () => [],
      input({ type }) {
        const variable = inputVariable(readBefore + inputs.length, type);
        inputs.push({ kind: "once", variable, type });
        return variable;
      },
      approximate(reason, type, range): Term {
        approximated.push({ reason, range });
        return symbols.fresh("unknown", type);
      },
      note: (reason, range) => noted.push({ reason, range }),
      allocate(bytes) {
        const object = symbols.heapObject(-symbols.tag(), bytes);
        allocated.push(object);
        return object;
      },
      libraryCall: () => null,
      entryArguments: () => [symbols.terms.int(settings.argumentCount), null, null],
    };
    return { surroundings, happening: { inputs, allocated, approximated, noted } };
  };
}
