import type { SourceRange } from "../base/sourceRange.ts";
import type { Fail, UndefinedBehaviour } from "../ir/operation.ts";
import type { EdgeId, FunctionId, VariableId } from "../ir/program.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Difference } from "./expected.ts";

export type EndPlace = { readonly function: FunctionId; readonly edge: EdgeId; readonly range: SourceRange };

/** How a run ended. `exit` and `assumption-violated` are no failures; `limit` and `needs-input` are undecided. */
export type Outcome =
  /** `code` is the operating system's: 0 to 255. `at` is null if the entry function returned. */
  | { readonly kind: "exit"; readonly code: number; readonly at: EndPlace | null }
  | { readonly kind: "assertion"; readonly text: string; readonly check?: Fail["check"]; readonly at: EndPlace }
  | { readonly kind: "error-location"; readonly text: string; readonly at: EndPlace }
  | { readonly kind: "abort"; readonly text: string; readonly at: EndPlace }
  | { readonly kind: "assumption-violated"; readonly text: string; readonly at: EndPlace }
  /** The edge at `at` was not completed: the run's steps end before it. */
  | {
      readonly kind: "undefined-behaviour";
      readonly problem: UndefinedBehaviour;
      readonly message: string;
      /** The variable that is too small for the access. */
      readonly exceeded?: VariableId;
      readonly at: EndPlace;
    }
  | {
      readonly kind: "limit";
      readonly limit: Limit;
      readonly code: `TF3${number}`;
      readonly message: string;
      readonly help: string;
    }
  /** Wrong output (`at` is the uncompleted call), or missing output (`at` is null if the entry function returned). */
  | {
      readonly kind: "wrong-output";
      /** `stdout`, or the name of a file. */
      readonly stream: string;
      /** The first differing byte; the shorter text may end there. */
      readonly offset: number;
      /** See `Unmet`. */
      readonly blamed: number;
      readonly difference: Difference;
      readonly at: EndPlace | null;
    }
  | { readonly kind: "wrong-exit"; readonly code: number; readonly expected: number; readonly at: EndPlace | null }
  /** An input was read after the last one given. */
  | {
      readonly kind: "needs-input";
      readonly given: number;
      readonly source: string;
      readonly type: ScalarType;
      readonly at: EndPlace;
    };

export type Limit = "steps" | "time" | "memory" | "recursion" | "interrupted" | "output";
