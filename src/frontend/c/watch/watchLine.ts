import { TracefoldError } from "../../../base/errors.ts";
import type { WatchedCondition } from "../../frontEnd.ts";
import type { Expr, TranslationUnit } from "../ast.ts";
import { parseC } from "../parse/parseC.ts";
import type { ReadFile } from "../preprocess/preprocess.ts";
import { preprocess } from "../preprocess/preprocess.ts";
import { fileMeant } from "./fileMeant.ts";
import { explainConditionError, takeCondition, withCondition } from "./parseCondition.ts";
import { watchStatement } from "./watchStatement.ts";

/**
 * The trees of a program's files with the condition looked at whenever the run comes to the line. A line of a header is
 * watched in every file that includes it; the condition is read where the line is.
 */
export function watchLine(
  trees: readonly TranslationUnit[],
  sources: readonly ReadFile[],
  watch: WatchedCondition,
): TranslationUnit[] {
  const file = fileMeant(watch.file, sources);
  const isThere = trees.map((tree) => watchStatement(tree, { ...watch, file, condition: anything }) !== null);
  if (!isThere.includes(true)) throw noStatement(watch);
  return trees.map((tree, i) => (isThere[i] ? watchIn(sources[i]!, { ...watch, file }) : tree));
}

/** Stands for the condition while only the line is looked for. */
const anything: Expr = {
  kind: "number",
  text: "1",
  range: { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 },
};

function watchIn({ file, options, source }: ReadFile, watch: WatchedCondition): TranslationUnit {
  const { text } = file;
  const mode = source.by === "gcc" ? "gcc" : options.mode;
  try {
    const whole = preprocess(
      { ...file, text: withCondition(text, watch.condition) },
      { ...options, ...(mode === undefined ? {} : { mode }) },
    );
    const read = takeCondition(parseC(whole), text, watch.condition);
    const watched = watchStatement(read.tree, { ...watch, condition: read.condition });
    if (watched === null) throw noStatement(watch);
    return watched;
  } catch (error) {
    throw explainConditionError(error, text, watch.condition);
  }
}

function noStatement({ file, line }: WatchedCondition): TracefoldError {
  return new TracefoldError({
    code: "TF136",
    message: `there is no statement of a function at line ${line} of ${file}`,
    range: { file: "--target", line: 1, column: 1, endLine: 1, endColumn: 1 },
    help: "Name a line with a statement, or the closing brace of a block.",
  });
}
