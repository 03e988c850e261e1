import type { Cancellation } from "../../src/base/cancellation.ts";

/** Cancelled from the look after so many others on: work can be ended at each point where it looks, one after the other. */
export function cancelledAtLook(looks: number): Cancellation & { looked(): number } {
  let count = 0;
  return {
    isCancelled: () => ++count > looks,
    get reason() {
      return ++count > looks ? "interrupt" : null;
    },
    processes: null,
    looked: () => count,
  };
}
