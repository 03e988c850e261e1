import type { BlockStatement, Statement } from "../ast.ts";

/** Changes the statements inside a statement: blocks, and statements that are not items of a block. */
export type BodyChange = { block(block: BlockStatement): BlockStatement; single(statement: Statement): Statement };

/** A statement with the statements directly inside it changed. */
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
