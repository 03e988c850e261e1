import type { Extent, MemoryUse } from "../c/library/memoryUse.ts";
import { libraryFunction } from "../c/library/table.ts";
import type { CallLibrary } from "../ir/operation.ts";

/**
 * What an argument of a library call is for: `read` and `written` say which place is read or written, or how much of it; null is a value
 * like any other.
 */
type PlaceUse = "read" | "written" | null;

type Uses = { readonly uses: readonly PlaceUse[]; readonly returned: number };

const known = new Map<string, Uses>();

/** What a call uses some of its arguments for, where that is the same for all of them. */
export function placeUse({ name, target }: CallLibrary, args: readonly number[]): PlaceUse {
  let found = known.get(name);
  if (found === undefined) {
    found = usesOf(name);
    known.set(name, found);
  }
  const { uses, returned } = found;
  const useOf = (argument: number) => (argument === returned && target !== null ? null : (uses[argument] ?? null));
  const [first = null, ...others] = args.map(useOf);
  return others.every((use) => use === first) ? first : null;
}

function usesOf(name: string): Uses {
  const { parameters, memory, returns } = libraryFunction(name);
  return {
    uses: parameters.map(({ name: parameter }) => {
      if (memory.some((use) => isRead(use, parameter))) return "read";
      return memory.some((use) => isWritten(use, parameter) || isExtent(use, parameter)) ? "written" : null;
    }),
    returned: parameters.findIndex((parameter) => parameter.name === returns),
  };
}

function isRead(use: MemoryUse, parameter: string): boolean {
  return (use.kind === "reads" && use.at === parameter) || (use.kind === "copies" && use.from === parameter);
}

function isWritten(use: MemoryUse, parameter: string): boolean {
  if (use.kind === "copies") return use.to === parameter;
  return (use.kind === "writes" || use.kind === "fills") && use.at === parameter;
}

function isExtent(use: MemoryUse, parameter: string): boolean {
  const extent: Extent | null = "extent" in use ? use.extent : null;
  if (extent?.kind === "bytes") return extent.factors.includes(parameter);
  return extent?.kind === "string" && extent.atMost === parameter;
}
