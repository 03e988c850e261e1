import { type ForeignRequest, kindOfFunction } from "./calls.ts";
import { type CheckedComparison, LastOperation } from "./comparison.ts";
import { isObject, peek } from "./objects.ts";
import type { TraceRuntime } from "./runtime.ts";
import type { EventId } from "./store.ts";

/** A check of a test: what it was about, and what it expected. */
export type Assertion = {
  readonly site: number;
  /** `toEqual`, `deepEqual`, `throws`. */
  readonly matcher: string;
  readonly received: unknown;
  readonly receivedEvent: EventId;
  /** The arguments of the matcher. */
  readonly expected: readonly unknown[];
  /** Words between: `not`, `resolves`, `to`, `be`. */
  readonly words: readonly string[];
  /** What was compared, if the check is about the result of a comparison. */
  readonly compared: CheckedComparison | null;
};

type Subject = {
  readonly value: unknown;
  readonly event: EventId;
  readonly words: readonly string[];
  readonly compared: CheckedComparison | null;
};

/** A call of a mock function. */
export type MockCall = {
  readonly event: EventId;
  readonly values: readonly unknown[];
  readonly events: readonly EventId[];
};

const starters = /^(expect|soft|poll)$/;
const assertMethods =
  /^(ok|equal|notEqual|strictEqual|notStrictEqual|deepEqual|deepStrictEqual|notDeepEqual|notDeepStrictEqual|partialDeepStrictEqual|throws|rejects|doesNotThrow|doesNotReject|match|doesNotMatch|fail|ifError|isTrue|isFalse|isUndefined|isDefined|isNull|isNotNull|include|deepInclude|sameMembers|sameDeepMembers|lengthOf|property|propertyVal|closeTo|typeOf|instanceOf|exists|notExists|isOk|isEmpty|assert|same|is|not|isAbove|isBelow|isAtLeast|isAtMost)$/;

const mostAssertions = 10_000;

/** The checks of the running test, found by the names that test libraries use. */
export class Assertions {
  #all: Assertion[] = [];
  #subjects = new WeakMap<object, Subject>();
  #mocks = new WeakMap<object, MockCall[]>();
  #lastSubject: (Subject & { readonly site: number }) | null = null;
  readonly lastOperation = new LastOperation();

  get all(): readonly Assertion[] {
    return this.#all;
  }

  /** The last thing that `expect` was called with. */
  get lastSubject(): (Subject & { readonly site: number }) | null {
    return this.#lastSubject;
  }

  start(): void {
    this.#all = [];
    this.#lastSubject = null;
  }

  mockCalls(mock: unknown): readonly MockCall[] | null {
    if (!isObject(mock)) return null;
    return this.#mocks.get(mock) ?? (peek(mock, "_isMockFunction") === true ? [] : null);
  }

  /** `expect(x).not` is about `x`, too. */
  follow(object: object, key: PropertyKey, value: unknown): void {
    const subject = this.#subjects.get(object);
    if (subject === undefined || !isObject(value) || this.#subjects.has(value) || typeof value === "function") return;
    this.#subjects.set(value, { ...subject, words: [...subject.words, String(key)] });
  }

  /** The check that a call makes; null if it makes none. */
  matcher(
    site: number,
    self: unknown,
    key: PropertyKey,
    values: readonly unknown[],
    events: readonly EventId[],
  ): Assertion | null {
    if (!isObject(self) || typeof key !== "string") return null;
    const subject = this.#subjects.get(self);
    const found =
      subject === undefined ? this.#ofAssert(site, self, key, values, events) : about(site, subject, key, values);
    if (found !== null && this.#all.length < mostAssertions) this.#all.push(found);
    return found;
  }

  #ofAssert(
    site: number,
    self: object,
    key: string,
    values: readonly unknown[],
    events: readonly EventId[],
  ): Assertion | null {
    // `Object.is` is none.
    if (!assertMethods.test(key) || (typeof self === "function" && kindOfFunction(self) === "native")) return null;
    const isLibrary = typeof self === "function" || typeof peek(self, "fail") === "function";
    if (
      !isLibrary ||
      (typeof self !== "function" &&
        peek(self, "AssertionError") === undefined &&
        peek(self, "deepEqual") === undefined)
    )
      return null;
    const [received, ...expected] = values;
    const receivedEvent = events[0] ?? 0;
    const compared = this.lastOperation.comparison(receivedEvent);
    return { site, matcher: key, received, receivedEvent, expected, words: ["assert"], compared };
  }

  /** After a call of a function that is not followed. */
  note(
    to: TraceRuntime,
    { site, callee, self, key, values, events }: ForeignRequest,
    value: unknown,
    id: EventId,
  ): void {
    // A function without a name is known by the name of its variable.
    const name = key === "" && isObject(value) ? to.textOf(site) : key;
    if (typeof name === "string" && starters.test(name) && isObject(value)) {
      const event = events[0] ?? 0;
      const compared = this.lastOperation.comparison(event);
      const subject = { value: values[0], event, words: name === "expect" ? [] : [name], compared };
      this.#subjects.set(value, subject);
      this.#lastSubject = { ...subject, site };
    } else if (isObject(self) && isObject(value)) this.follow(self, key, value);
    if (peek(callee, "mock") === undefined && peek(callee, "_isMockFunction") !== true) return;
    const calls = this.#mocks.get(callee) ?? [];
    calls.push({ event: id, values, events });
    this.#mocks.set(callee, calls);
    to.objects.record(callee).last = id;
  }
}

function about(
  site: number,
  { value, event, words, compared }: Subject,
  matcher: string,
  expected: readonly unknown[],
): Assertion {
  return { site, matcher, received: value, receivedEvent: event, expected, words, compared };
}
