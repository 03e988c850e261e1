/** What `tracefold doctor` found: of this machine, and of the project in the current folder. */
export type DoctorReport = {
  readonly command: "doctor";
  readonly version: string;
  /** `failed` if a necessary part does not work. */
  readonly status: "ok" | "failed";
  readonly parts: readonly ExaminedPart[];
};

export type ExaminedPart = {
  readonly name: string;
  readonly state: "works" | "missing" | "broken";
  readonly isNecessary: boolean;
  /** The version or the place, as the part says it; null if it is not there. */
  readonly found: string | null;
  /** What it is for; of a missing part, what it would add. */
  readonly use: string;
  /** How to get it or mend it; null if it works. */
  readonly help: string | null;
};
