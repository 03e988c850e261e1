import type { SourceRange } from "../../base/sourceRange.ts";
import type { Function } from "../../ir/program.ts";
import type { Omission } from "./omissions.ts";
import type { WhatIf, WhatIfOf } from "./whatIf.ts";

/** A line of the program that may be the cause of a failure, with what would have happened with a change there. */
export type Suspect = {
  readonly function: Function;
  /** The part of the line that the best experiment changes, else the first part of it that was executed. */
  readonly range: SourceRange;
  /** All edits that helped, the best first. */
  readonly edits: readonly WhatIfOf<"edit">[];
  /** The best experiment of each kind; all null for a line that the failure merely depends on. */
  readonly edit: WhatIfOf<"edit"> | null;
  readonly flip: WhatIfOf<"flip"> | null;
  readonly value: WhatIfOf<"value"> | null;
  /** The one to tell: the edit where there is one, else the flip, else the value. */
  readonly whatIf: WhatIf | null;
  /** What it kept from being written, where that would have mattered; null for nothing. */
  readonly omission: Omission | null;
  /** In test code: suspected last. */
  readonly inTest: boolean;
  /** Fewest changes of line on a way of dependences to the failure; -1 where there is none. */
  readonly distance: number;
  /** Its last step in the run. */
  readonly lastStep: number;
  /** How likely it is the cause, as far as experiments can tell: the weights of all suspects are 1 together. */
  readonly weight: number;
};
