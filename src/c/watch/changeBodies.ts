import type { Block, Statement } from "../ast.ts";

/** What becomes of the statements inside of a statement: blocks, and those that are no item of one. */
export type BodyChange = { block(block: Block): Block; single(statement: Statement): Statement };

/** A statement with those directly inside of it changed. */
export function changeBodies(statement: Statement, { block, single }: BodyChange): Statement {
  switch (statement.kind) {
    case "block":
      return block(statement);
    case "if": {
      const then = single(statement.then);
      return { ...statement, then, else: statement.else === null ? null : single(statement.else) };
    }
    case "while":
    case "doWhile":
    case "for":
    case "switch":
    case "case":
    case "default":
    case "label":
      return { ...statement, body: single(statement.body) };
    default:
      return statement;
  }
}
