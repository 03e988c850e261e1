import { nth } from "../../base/checked.ts";
import type { LoggedCall, LogItem, Recorded } from "../../js/recorder/readLog.ts";
import type { LogSite, SiteTable } from "../../js/recorder/site.ts";

/** The log does not say what the tree expects: this call is given up. */
export class LostCall extends Error {}

/** The program threw. */
export class ProgramThrow extends Error {
  readonly error: Recorded;
  constructor(error: Recorded) {
    super("the program threw");
    this.error = error;
  }
}

export type ValueItem = Extract<LogItem, { kind: "value" }>;
export type CallItem = Exclude<LogItem, { kind: "value" }>;

/** The events of one call, taken one by one. */
export type Cursor = {
  readonly done: boolean;
  /** The calls that come before the next value of this call's own code. */
  calls(): readonly CallItem[];
  /** The value of the site; else the program left the expression by an exception, or the log is not followed. */
  take(site: LogSite): ValueItem;
  /** Whether the next value is the site's. */
  isNext(site: LogSite): boolean;
  /** One call that comes next, if it is such a one. */
  takeCall(wanted: (item: CallItem) => boolean): CallItem | null;
};

export function createCursor(call: LoggedCall, table: SiteTable, foreign: (item: CallItem) => void): Cursor {
  const { items } = call;
  let at = 0;

  function calls(): readonly CallItem[] {
    const found: CallItem[] = [];
    for (let item = items[at]; item !== undefined && item.kind !== "value"; item = items[++at]) found.push(item);
    return found;
  }

  return {
    get done() {
      return at >= items.length;
    },
    calls,
    take(site) {
      let item = items[at];
      // No list of what is mostly nothing: this is asked for every event.
      while (item !== undefined && item.kind !== "value") {
        foreign(item);
        item = items[++at];
      }
      if (item === undefined) {
        if (call.outcome.kind === "threw") throw new ProgramThrow(call.outcome.error);
        throw new LostCall(`the log ends before site ${site.index}`);
      }
      if (item.site === site.index) {
        at++;
        return item;
      }
      if (table.sites[item.site]?.kind === "caught") throw new ProgramThrow(item.value);
      throw new LostCall(`site ${item.site} where ${site.index} is expected`);
    },
    isNext(site) {
      let ahead = at;
      while (items[ahead] !== undefined && nth(items, ahead).kind !== "value") ahead++;
      const item = items[ahead];
      return item?.kind === "value" && item.site === site.index;
    },
    takeCall(wanted) {
      const item = items[at];
      if (item === undefined || item.kind === "value" || !wanted(item)) return null;
      at++;
      return item;
    },
  };
}
