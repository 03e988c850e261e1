import { types } from "node:util";
import type { Assertion, MockCall } from "./assertions.ts";
import { wantedText } from "./comparison.ts";
import { type DifferencePath, firstDifference, printPath, type ValueDifference } from "./difference.ts";
import { isObject } from "./objects.ts";
import { printTraced } from "./printValue.ts";
import type { TraceRuntime } from "./runtime.ts";
import type { ThrowRecord } from "./statementRuntime.ts";
import type { EventId } from "./store.ts";

/** Why a test failed, as a question about values of the run. */
export type TraceQuestion = {
  readonly kind: "matcher" | "thrown" | "timeout";
  /** One sentence: `received.lines[2].amount is 5, expected 50000`. */
  readonly message: string;
  /** The matcher or the throwing operation; -1 if it is not in followed code. */
  readonly site: number;
  readonly matcher: string;
  /** `received.lines[2].amount`, for the question. */
  readonly subject: string;
  readonly received: string;
  readonly expected: string | null;
  /** The side of the checked comparison that was received, if the check is about one. */
  readonly side?: "left" | "right";
  /** Where the search for reasons begins, with their distances. */
  readonly starts: readonly (readonly [EventId, number])[];
};

/** The error of a failed test, as far as test libraries describe it. */
type FailureError = {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly actual?: unknown;
  readonly expected?: unknown;
  readonly matcherResult?: unknown;
};

const equality =
  /^(toEqual|toStrictEqual|toMatchObject|toBe|equal|equals|eq|eql|eqls|strictEqual|deepEqual|deepStrictEqual|partialDeepStrictEqual|same|is)$/;
const exact = /^(toBe|strictEqual|equal|equals|eq|is)$/;
const snapshots = /Snapshot/;
const far = 6;

/** Finds the check that failed, or the error that was thrown, and the events that it is about. */
export function questionOf(to: TraceRuntime, error: unknown): TraceQuestion {
  const details: FailureError = isObject(error) ? error : {};
  const question = checkOrError(to, error, details);
  const sent = lastWithValue(to, details.actual) || lastWithValue(to, mentionedValue(details.message));
  return sent === 0 ? question : { ...question, starts: [...question.starts, [sent, far]] };
}

function checkOrError(to: TraceRuntime, error: unknown, details: FailureError): TraceQuestion {
  if (!isAssertion(details)) to.noteUnknown(error);
  const message = messageOf(error);
  const record = isObject(error) ? to.throws.get(error) : undefined;
  if (/timed out|timeout/i.test(message) && to.waiting.size > 0) return timeoutQuestion(to, message);
  const assertion = record?.assertion ?? (isAssertion(details) ? softOrLast(to, details) : null);
  if (assertion !== null) return matcherQuestion(to, assertion, details, message, record ?? null);
  const last = record ?? (to.lastThrow?.error === error || !isObject(error) ? to.lastThrow?.record : undefined);
  const event = last?.event ?? to.lastThrow?.record.event ?? to.events.last;
  const name = typeof details.name === "string" && details.name !== "" ? `${details.name}: ` : "";
  return {
    kind: "thrown",
    message: `${name}${message}`,
    site: to.events.siteOf(event),
    matcher: "",
    subject: "the error",
    received: printTraced(error),
    expected: null,
    starts: [[event, 0]],
  };
}

/**
 * A library compared a value that came back to it from outside of the process: the body of a response, the text of a file. Nobody
 * follows it there, but the program had the same value before it sent it.
 */
function lastWithValue({ events }: TraceRuntime, value: unknown): EventId {
  const isTelling =
    (typeof value === "string" && value.length > 1) || (typeof value === "number" && Math.abs(value) > 1);
  if (!isTelling) return 0;
  for (let event = events.last; event >= events.first; event--)
    if (Object.is(events.valueOf(event), value)) return event;
  return 0;
}

/** The text that a message says it got: `expected 'https' response body, got 'http'`. */
function mentionedValue(message: unknown): string | undefined {
  return /\b(?:got|received|actual|was|found)\b[^'"`]{0,20}(['"`])(.+?)\1/.exec(String(message))?.[2];
}

function isAssertion({ name, matcherResult, actual, expected }: FailureError): boolean {
  if (matcherResult !== undefined || actual !== undefined || expected !== undefined) return true;
  return typeof name === "string" && name.includes("Assertion");
}

/** `expect.soft` goes on: its check is the one with the same values. Otherwise the last check has failed. */
function softOrLast(to: TraceRuntime, { expected }: FailureError): Assertion | null {
  const { all, lastSubject } = to.assertions;
  const soft = all.filter(({ words }) => words.includes("soft"));
  const found =
    soft.find((each) => each.expected.some((one) => Object.is(one, expected))) ??
    soft.find((each) => differenceOf(each, each.received) !== null);
  const last = found ?? all.findLast(({ words }) => !words.includes("assert") || all.length === 1) ?? all.at(-1);
  if (last !== undefined) return last;
  if (lastSubject === null) return null;
  const { value, event, ...rest } = lastSubject;
  return { ...rest, matcher: "", received: value, receivedEvent: event, expected: [] };
}

function timeoutQuestion(to: TraceRuntime, message: string): TraceQuestion {
  const pending = [...to.waiting].sort((a, b) => b.frame.depth - a.frame.depth);
  const [innermost] = pending;
  const starts = pending.flatMap(({ value, event }, i): (readonly [EventId, number])[] => {
    return [[event, i], ...to.objects.states(value).map((state): readonly [EventId, number] => [state, i + 1])];
  });
  return {
    kind: "timeout",
    message: `${message}; still waiting`,
    site: innermost?.site ?? -1,
    matcher: "",
    subject: "it still waits",
    received: "a promise that is not settled",
    expected: null,
    starts,
  };
}

function matcherQuestion(
  to: TraceRuntime,
  assertion: Assertion,
  details: FailureError,
  message: string,
  record: ThrowRecord | null,
): TraceQuestion {
  const failed = record?.event ?? 0;
  const { site, matcher, words } = assertion;
  const isNegated = words.includes("not") || /^(not|isNot|doesNot)/.test(matcher);
  const base = { kind: "matcher", site, matcher } as const;
  const mock = to.assertions.mockCalls(assertion.received);
  if (mock !== null && /Called|called|Returned|HaveBeen/.test(matcher)) {
    const calls = mock.map(({ event }, i): readonly [EventId, number] => [event, mock.length - 1 - i]);
    const given = mock
      .slice(-3)
      .flatMap(({ events }) => events.filter(Boolean).map((each): readonly [EventId, number] => [each, 0]));
    const times = `${mock.length} call${mock.length === 1 ? "" : "s"}`;
    const head = mockHead(assertion, mock);
    return {
      ...base,
      message: isNegated ? message : head,
      subject: "",
      received: times,
      expected: null,
      starts: [...given, ...calls, [failed, far]],
    };
  }
  const comparison = isNegated ? null : comparisonQuestion(to, assertion, message, failed);
  if (comparison !== null) return { ...base, ...comparison };
  const received = settledValue(to, assertion, details, record);
  // A promise that was settled in the other way is no value.
  const isOther = types.isPromise(received.value);
  const difference = isNegated || isOther ? null : differenceOf(assertion, received.value);
  if (difference === null) {
    // A function that threw nothing: what it returned is the reason, and not the error that was expected.
    const returned = typeof received.value === "function" ? (record?.results ?? []) : [];
    const starts =
      returned.length > 0
        ? returned.flatMap((event) => valueStarts(to, to.events.valueOf(event), [event]))
        : [...valueStarts(to, received.value, received.events), [failed, far] as const];
    const text = printTraced(received.value);
    const isError = types.isNativeError(received.value) && typeof assertion.received === "function";
    const what = isError ? "the thrown error" : "received";
    const head = isGeneric(message) ? `${what} is ${text}, expected ${checkText(assertion)}` : message;
    return { ...base, message: head, subject: "", received: text, expected: null, starts };
  }
  const subject = printPath("received", difference.path, (key) => printTraced(key, 20));
  const [left, right] = differenceTexts(difference);
  const starts = [...pathStarts(to, received, difference.path), [failed, far] as const];
  const head = snapshots.test(matcher) ? message : `${subject} is ${left}, expected ${right}`;
  return { ...base, message: head, subject, received: left, expected: right, starts };
}

/** `assert(add(1, 2) === 4)` is about the sum, not about `false`. */
function comparisonQuestion(to: TraceRuntime, { received, compared }: Assertion, message: string, failed: EventId) {
  if (compared === null || received !== false) return null;
  const { side, receivedEvent, expectedEvent } = compared;
  const difference = {
    received: { value: compared.received, isAbsent: false },
    expected: { value: compared.expected, isAbsent: false },
  };
  const [left, right] = differenceTexts({ path: [], ...difference });
  const wanted = wantedText(compared, right);
  const head = `received is ${left}, expected ${wanted}`;
  const others = valueStarts(to, compared.expected, [expectedEvent]);
  const starts = [
    ...valueStarts(to, compared.received, [receivedEvent]),
    ...others.map(([event, distance]): readonly [EventId, number] => [event, distance + 1]),
    [failed, far] as const,
  ];
  const told = isGeneric(message) || /^(expected )?(true|false)\b/.test(message) ? head : `${message}: ${head}`;
  return { side, message: told, subject: "received", received: left, expected: wanted, starts };
}

/** The first line of jest and of `assert` says which check it was, not what it got. */
function isGeneric(message: string): boolean {
  return /^expect\(.*\)\.\w|^The expression evaluated to a falsy value:$|^Unspecified AssertionError$|^\S+ == true$/.test(
    message,
  );
}

/** `not.toThrow("…")`. */
function checkText({ words, matcher, expected }: Assertion): string {
  if (matcher === "ok" || matcher === "assert") return "something true";
  return `${[...words, matcher].join(".")}(${expected.map((each) => printTraced(each, 40)).join(", ")})`;
}

function mockHead({ matcher, expected }: Assertion, calls: readonly MockCall[]): string {
  const list = (values: readonly unknown[]) => `(${values.map((each) => printTraced(each, 40)).join(", ")})`;
  const last = calls.at(-1);
  if (last === undefined) return "the mock was not called";
  if (/Times|callCount/.test(matcher)) {
    const times = `${calls.length} time${calls.length === 1 ? "" : "s"}`;
    return `the mock was called ${times}, expected ${printTraced(expected[0])}`;
  }
  if (!/With/.test(matcher))
    return `the mock was called with ${list(last.values)}, expected ${matcher}${list(expected)}`;
  const wanted = /Nth/.test(matcher) ? expected.slice(1) : expected;
  return `the mock was called with ${list(last.values)}, expected ${list(wanted)}`;
}

/** Long texts from shortly before the first character that differs. */
function differenceTexts({ received, expected }: ValueDifference): readonly [string, string] {
  const [left, right] = [received.value, expected.value];
  if (typeof left !== "string" || typeof right !== "string") return [partText(received), partText(expected)];
  const length = Math.min(left.length, right.length);
  let same = 0;
  while (same < length && left[same] === right[same]) same++;
  if (same <= sameShown) return [partText(received), partText(expected)];
  const from = same - sameBefore;
  const cut = (text: string) => printTraced(text.slice(from)).replace(/^"/, '"…');
  return [cut(left), cut(right)];
}

/** Texts that are the same for so long are shown from these characters before the difference. */
const sameShown = 40;
const sameBefore = 12;

function partText({ value, isAbsent }: ValueDifference["received"]): string {
  return isAbsent ? "absent" : printTraced(value);
}

type Received = { readonly value: unknown; readonly events: readonly EventId[] };

/** For `resolves` and `rejects` the value is what the promise gave. For `toThrow` it is the error. */
function settledValue(
  to: TraceRuntime,
  assertion: Assertion,
  details: FailureError,
  record: ThrowRecord | null,
): Received {
  const inner = record?.inner ?? null;
  const { received, receivedEvent, words, matcher } = assertion;
  if (words.includes("resolves") || words.includes("rejects")) {
    const isSettled = details.actual !== undefined || details.expected !== undefined;
    return { value: isSettled ? details.actual : received, events: [...to.objects.states(received), receivedEvent] };
  }
  if (typeof received === "function" && /throw/i.test(matcher)) {
    if (inner === null) return { value: details.actual ?? received, events: [receivedEvent] };
    return { value: inner.error ?? details.actual ?? received, events: [inner.record.event, receivedEvent] };
  }
  return { value: received, events: [receivedEvent] };
}

function differenceOf({ matcher, expected, words }: Assertion, received: unknown): ValueDifference | null {
  const [wanted] = expected;
  const one = (path: DifferencePath, value: unknown, other: unknown): ValueDifference => ({
    path,
    received: { value, isAbsent: false },
    expected: { value: other, isAbsent: false },
  });
  if (equality.test(matcher)) {
    const isSame = exact.test(matcher) && !words.includes("deep");
    return firstDifference(received, wanted, { isPartial: /MatchObject|partial/.test(matcher), isSame });
  }
  switch (matcher) {
    case "toBeCloseTo":
    case "closeTo":
      return one([], received, wanted);
    case "toHaveLength":
    case "lengthOf":
      return isObject(received) || typeof received === "string"
        ? one([{ kind: "key", key: "length" }], (received as { length: unknown }).length, wanted)
        : null;
    case "toHaveProperty":
    case "property": {
      const keys = Array.isArray(wanted)
        ? wanted.map(String)
        : String(wanted)
            .split(/[.[\]]+/)
            .filter(Boolean);
      const path: DifferencePath = keys.map((key) =>
        /^\d+$/.test(key) ? { kind: "index", index: Number(key) } : { kind: "key", key },
      );
      let value: unknown = received;
      for (const key of keys) value = isObject(value) ? (value as Record<string, unknown>)[key] : undefined;
      return expected.length > 1 ? one(path, value, expected[1]) : null;
    }
    default:
      return null;
  }
}

function valueStarts(to: TraceRuntime, value: unknown, events: readonly EventId[]): (readonly [EventId, number])[] {
  const states = to.objects.states(value);
  return [
    ...events.filter(Boolean).map((event, i): readonly [EventId, number] => [event, i]),
    ...states.map((event): readonly [EventId, number] => [event, 1]),
    // The contents of a small object: a snapshot or a property of any part.
    ...contentStarts(to, value),
  ];
}

const mostContents = 40;

function contentStarts(to: TraceRuntime, value: unknown): (readonly [EventId, number])[] {
  const found: (readonly [EventId, number])[] = [];
  const visit = (object: unknown, depth: number): void => {
    const record = to.objects.of(object);
    if (record === null || depth > 3 || found.length > mostContents) return;
    for (const [key, event] of record.properties) {
      found.push([event, 2 + depth]);
      const descriptor = isObject(object) ? Object.getOwnPropertyDescriptor(object, key) : undefined;
      visit(descriptor?.value, depth + 1);
    }
  };
  visit(value, 0);
  return found.slice(0, mostContents);
}

/** The writes along the path, the last one first. */
function pathStarts(
  to: TraceRuntime,
  { value, events }: Received,
  path: DifferencePath,
): (readonly [EventId, number])[] {
  const starts: (readonly [EventId, number])[] = [];
  let object: unknown = value;
  path.forEach((step, i) => {
    const isLast = i === path.length - 1;
    const distance = isLast ? 0 : 3;
    const record = to.objects.of(object);
    if (step.kind === "entry") {
      const written = record?.entries?.get(step.key) ?? 0;
      for (const event of written === 0 ? to.objects.states(object) : [written]) starts.push([event, distance]);
      object = object instanceof Map ? object.get(step.key) : step.key;
      return;
    }
    const key = step.kind === "index" ? String(step.index) : step.key;
    const isThere = isObject(object) && key in object;
    const written = to.objects.written(object, key);
    if (written !== 0) starts.push([written, distance]);
    if (isLast && (!isThere || written === 0 || key === "length"))
      for (const event of to.objects.states(object)) starts.push([event, 1]);
    if (isLast && !isThere) for (const event of to.objects.instead(object, key)) starts.push([event, 1]);
    object = isThere ? (object as unknown as Record<string, unknown>)[key] : undefined;
  });
  // The differing part itself, if it is an object.
  for (const event of to.objects.states(object)) starts.push([event, 1]);
  const distance = starts.length === 0 ? 0 : 3;
  for (const event of events) if (event !== 0) starts.push([event, distance]);
  return starts;
}

/** The first line of the message of any thrown value. */
export function messageOf(error: unknown): string {
  const { message }: FailureError = isObject(error) ? error : {};
  return firstLine(typeof message === "string" ? message : printTraced(error));
}

/** A message may have a whole page in it. */
const longestMessage = 300;

export function firstLine(text: string): string {
  return (
    text
      .replaceAll(escapes, "")
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim()
      .slice(0, longestMessage) ?? ""
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of test runners
const escapes = /\u001b\[[0-9;]*m/g;
