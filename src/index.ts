export { Defect, formatError, TracefoldError } from "./base/errors.ts";
export type { SourceRange } from "./base/sourceRange.ts";
export type { Program } from "./ir/program.ts";
