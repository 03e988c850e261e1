import { TracefoldError } from "../base/errors.ts";
import { readSExpressions, type SExpression } from "../logic/parseSmtLib.ts";
import type { Reply } from "./backend/connection.ts";
import { type Unknown, unknown } from "./solver.ts";

export type Answer =
  | { readonly kind: "sat" | "unsat" | "unknown" }
  | { readonly kind: "failed"; readonly unknown: Unknown };

/** The verdict in a solver's output. Anything but one of the three words is a failure, never an answer. */
export function readVerdict(text: string): Answer {
  const error = findError(text);
  if (error !== null) return { kind: "failed", unknown: error };
  const word = text.trim();
  if (word === "sat" || word === "unsat" || word === "unknown") return { kind: word };
  if (word === "timeout") return { kind: "failed", unknown: unknown("limit", "time limit reached") };
  return { kind: "failed", unknown: unknown("failure", `unexpected answer of the solver: ${word.slice(0, 200)}`) };
}

/** Z3 goes on after an error, with the rest of the commands: an output with an error in it says nothing. */
export function findError(text: string): Unknown | null {
  const match = /^\(error\s+"((?:[^"]|"")*)"?/m.exec(text);
  if (match === null) return null;
  const message = match[1]!.slice(0, 300);
  return unknown(/memory|bad_alloc/.test(message) ? "memory" : "failure", `solver error: ${message}`);
}

export function unknownOfLost(reply: Extract<Reply, { kind: "lost" }>): Unknown {
  switch (reply.cause) {
    case "time":
      return unknown("limit", `time limit reached: ${reply.message}`);
    case "memory":
      return unknown("memory", `the solver ran out of memory: ${reply.message}`);
    case "died":
      return unknown("failure", `the solver died: ${reply.message}`);
    case "interrupted":
      return unknown("interrupted", reply.message);
  }
}

/** What `(get-info :reason-unknown)` gives, sorted into our reasons. */
export function readReason(text: string): Unknown {
  const said = /:reason-unknown\s+"?([^")]*)/.exec(text)?.[1]?.trim() ?? "no reason given";
  if (/memout|memory/i.test(said)) return unknown("memory", said);
  if (/cancel|timeout|resource|limit|interrupt/i.test(said)) return unknown("limit", `limit reached (${said})`);
  return unknown("incomplete", `the solver gave up (${said})`);
}

/** The only expression of an output, or null when it is not one expression. */
export function readOne(text: string): SExpression | null {
  try {
    const all = readSExpressions(text);
    return all.length === 1 ? all[0]! : null;
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}
