/**
 * The log, as `docs/recorder.md` describes it: blocks of a header (magic, type, length in bytes) and a body. What is in
 * it is data: numbers, strings and names of classes.
 */
export const magic = 0x54464c31;
export const version = 1;

export const block = { strings: 1, events: 2, objects: 3, summary: 4 } as const;

/** Sites of a file are numbered `file * sitesPerFile + site`; files from 1, so what is below is a control event. */
export const sitesPerFile = 1 << 17;
export const maxFiles = 1 << 15;

export const control = {
  /** The call of this frame number ended; the next event is its signature. */
  exit: 1,
  /** The number of the path's signature. */
  signature: 2,
  /** The call on top of the stack ends with this error. */
  throws: 3,
  /** The frame of this number waits (`await`, `yield`). */
  suspend: 4,
  /** The frame of this number goes on. */
  resume: 5,
  /** A call whose path, of this signature, was recorded often enough: its events are left out. */
  elided: 6,
  /** A test begins; its name. */
  test: 7,
  /** The state of an object at the end of the call before: then `key` and `state` in turn. */
  object: 8,
  key: 9,
  state: 10,
  /** The length of the array of the element before. */
  length: 11,
  /** Elements of the array in the `state` before. */
  element: 12,
  /** Elements in the Map or Set in the `state` before. */
  size: 13,
  /** The next event is the site of a function that is entered, as this frame number. */
  enter: 14,
} as const;

export const tag = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  int: 4,
  double: 5,
  string: 6,
  object: 7,
  function: 8,
  bigint: 9,
  symbol: 10,
  /** A string that is too long to keep: its first characters, length and hash. */
  longString: 11,
} as const;

/** Payloads share a word with the tag. */
export const payloadBits = 28;
export const longestString = 1000;

/** The folder of a recording. */
export const folders = { sources: "sources", numbers: "numbers" } as const;
export const settingsFile = "recorder.json";
export const directoryVariable = "TRACEFOLD_RECORDER";

export type RecorderSettings = {
  /** Calls of one path that are recorded in full; 0: all. */
  readonly quota: number;
  /** Bytes of a process's log, after which it stops. */
  readonly maxBytes: number;
  /** Only files below this folder. */
  readonly root: string;
};

/** Counts of each path, by signature number. The last such block of a log counts. */
export type LogSummary = {
  readonly signatures: readonly { readonly enter: number; readonly calls: number; readonly kept: number }[];
  readonly stopped: boolean;
};
