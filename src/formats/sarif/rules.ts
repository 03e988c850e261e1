import { assertNever } from "../../base/errors.ts";
import type { RunOutcome } from "../../jobs/run/runReport.ts";

/** What can be wrong with a run, always in this order: results refer to rules by their index. */
export const rules = [
  rule(
    "assertion",
    "AssertionFailed",
    "An assertion failed.",
    "The condition of an assertion is false when the run comes to it.",
  ),
  rule(
    "error-location",
    "ErrorReached",
    "An error location was reached.",
    "The run calls reach_error or __VERIFIER_error, or comes to a label ERROR.",
  ),
  rule("abort", "Aborted", "The program aborted.", "The run calls abort or a function like it."),
  rule(
    "undefined-behaviour",
    "UndefinedBehaviour",
    "The behaviour is undefined.",
    "The run does something that the C standard leaves undefined, such as signed overflow or an access out of bounds.",
  ),
  rule(
    "wrong-output",
    "WrongOutput",
    "The program printed something else than was expected.",
    "What the run prints, writes to a file or exits with is not what was expected of it.",
  ),
  rule(
    "condition",
    "ConditionExplained",
    "A condition holds.",
    "The run does not fail; the code flow says why a condition holds at a place.",
  ),
] as const;

function rule(id: string, name: string, short: string, full: string) {
  return { id, name, shortDescription: { text: short }, fullDescription: { text: full } };
}

export const conditionRule = { id: "condition", index: 5 } as const;

/** The rule that a run broke; its id may be more precise than the rule's: `undefined-behaviour/signed-overflow`. */
export function ruleOf(outcome: RunOutcome): { readonly id: string; readonly index: number } {
  switch (outcome.kind) {
    case "assertion":
      return { id: "assertion", index: 0 };
    case "error-location":
      return { id: "error-location", index: 1 };
    case "abort":
      return { id: "abort", index: 2 };
    case "undefined-behaviour":
      return { id: ["undefined-behaviour", outcome.behaviour].filter((part) => part).join("/"), index: 3 };
    case "wrong-output":
    case "wrong-exit":
      return { id: "wrong-output", index: 4 };
    case "exit":
    case "assumption":
    case "limit":
      return conditionRule;
    default:
      return assertNever(outcome.kind);
  }
}
