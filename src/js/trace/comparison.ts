import type { EventId } from "./store.ts";

/** A checked comparison, such as that of `assert(add(1, 2) === 4)`: the side that the program computed is the received one. */
export type CheckedComparison = {
  readonly operator: string;
  readonly side: "left" | "right";
  readonly received: unknown;
  readonly expected: unknown;
  readonly receivedEvent: EventId;
  /** 0 for a literal. */
  readonly expectedEvent: EventId;
};

const comparing = /^[=!]==?$|^[<>]=?$/;
const equality = /^===?$/;
const mirrored: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

/** The last operation of a run: a check follows the comparison that it is about at once. */
export class LastOperation {
  #event: EventId = 0;
  #operator = "";
  #left: unknown;
  #leftEvent: EventId = 0;
  #right: unknown;
  #rightEvent: EventId = 0;

  note(event: EventId, operator: string, left: unknown, a: EventId, right: unknown, b: EventId): void {
    this.#event = event;
    this.#operator = operator;
    this.#left = left;
    this.#leftEvent = a || 0;
    this.#right = right;
    this.#rightEvent = b || 0;
  }

  /** The comparison whose result an event is; null if it is another value. */
  comparison(event: EventId): CheckedComparison | null {
    if (event === 0 || event !== this.#event || !comparing.test(this.#operator)) return null;
    const left = { value: this.#left, event: this.#leftEvent };
    const right = { value: this.#right, event: this.#rightEvent };
    const isMirrored = left.event === 0 && right.event !== 0;
    const [received, expected] = isMirrored ? [right, left] : [left, right];
    return {
      operator: isMirrored ? (mirrored[this.#operator] ?? this.#operator) : this.#operator,
      side: isMirrored ? "right" : "left",
      ...{ received: received.value, receivedEvent: received.event },
      ...{ expected: expected.value, expectedEvent: expected.event },
    };
  }
}

/** `"b"` of `x === "b"`, `> 3` of `x > 3`. */
export function wantedText({ operator }: CheckedComparison, expected: string): string {
  return equality.test(operator) ? expected : `${operator} ${expected}`;
}
