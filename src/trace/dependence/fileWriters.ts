/** A part of what a call printed. */
export type Piece = {
  /** How many bytes. */
  readonly size: number;
  /** The arguments that it was made of: from `first` up to `end`. */
  readonly first: number;
  readonly end: number;
  /** Reads of the step, behind its leaves, that it was made of. */
  readonly firstRead: number;
  readonly endRead: number;
};

/** Where bytes of a file come from: by position, the step (stored as in `DependenceTracker`) and the place in what it printed. */
export type FileWriters = { steps: Int32Array; offsets: Int32Array };
