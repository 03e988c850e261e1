import { TracefoldError } from "../base/errors.ts";

/** Keeps things under ids. When there are too many, or they are too large together, those used longest ago go. */
export type Shelf<T> = {
  add(thing: T): string;
  get(id: string): T;
};

export type ShelfSettings<T> = {
  /** `run`, for messages; ids begin with `prefix`. */
  readonly what: string;
  readonly prefix: string;
  readonly most: number;
  readonly mostBytes?: number;
  sizeOf?(thing: T): number;
  /** How to get another one. */
  readonly help: string;
};

export function createShelf<T>({ what, prefix, most, mostBytes, sizeOf, help }: ShelfSettings<T>): Shelf<T> {
  /** Those used longest ago come first. */
  const things = new Map<string, T>();
  let last = 0;
  const size = (thing: T) => sizeOf?.(thing) ?? 0;
  const makeRoom = () => {
    let bytes = [...things.values()].reduce((sum, thing) => sum + size(thing), 0);
    for (const [id, thing] of things) {
      if (things.size <= 1 || (things.size <= most && bytes <= (mostBytes ?? Number.POSITIVE_INFINITY))) return;
      things.delete(id);
      bytes -= size(thing);
    }
  };
  return {
    add(thing) {
      const id = `${prefix}${++last}`;
      things.set(id, thing);
      makeRoom();
      return id;
    },
    get(id) {
      const thing = things.get(id);
      if (thing === undefined) {
        const number = new RegExp(`^${prefix}(\\d+)$`).exec(id)?.[1];
        const wasThere = number !== undefined && Number(number) >= 1 && Number(number) <= last;
        const open = [...things.keys()];
        throw new TracefoldError({
          code: "TF106",
          message: wasThere
            ? `${what} ${id} is closed: only the last ones that were used stay open`
            : `there is no ${what} "${id}"`,
          help: `${open.length === 0 ? "" : `Open are ${open.join(", ")}. `}${help}`,
        });
      }
      things.delete(id);
      things.set(id, thing);
      return thing;
    },
  };
}
