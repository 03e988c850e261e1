import type { ToolAnswer } from "./answer.ts";
import type { Arguments, Parameters } from "./parameters.ts";
import type { Session } from "./session.ts";
import type { ClientCall } from "./workQueue.ts";

/** A tool of the server, declared once. */
export type Tool<P extends Parameters = Parameters> = {
  readonly name: string;
  /** For the model: what it is for and what it tells. */
  readonly description: string;
  readonly parameters: P;
  /** True if it starts no tests of the user, which may write: a client need not ask before the call. */
  readonly onlyReads?: true;
  answer(given: Arguments<P>, session: Session, call: ClientCall): Promise<ToolAnswer | RestOfAnswer>;
};

/** A further page of an answer that was given before. */
export type RestOfAnswer = { readonly id: string; readonly from: number };

/** Keeps the types of the parameters. */
export function tool<const P extends Parameters>(declared: Tool<P>): Tool {
  return declared as Tool;
}
