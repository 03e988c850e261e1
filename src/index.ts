/** The library: load a program, run it, look at the run, explain why it fails. */
export { Defect, formatError, TracefoldError } from "./base/errors.ts";
export type { SourceRange } from "./base/sourceRange.ts";
export { type LoadOptions, loadC, loadCText } from "./c/cFrontEnd.ts";
export { databaseProject } from "./c/compileDatabase.ts";
export { type ExplainProgramOptions, explain } from "./commands/explain/pipeline.ts";
export type { Explanation } from "./commands/explain/result.ts";
export { describeRun } from "./commands/run/describeRun.ts";
export type { RunReport } from "./commands/run/result.ts";
export { forEachStep } from "./commands/run/traceSteps.ts";
export {
  type ExplainedFile,
  type ExplainFileOptions,
  type ExplanationFormat,
  explainFile,
  renderExplanation,
} from "./engine/explainFile.ts";
export type { FrontEndOptions } from "./frontEnd/frontEnd.ts";
export type { Project, ProjectFile } from "./frontEnd/project.ts";
export { projectOf, readProject } from "./frontEnd/project.ts";
export * from "./interpreter/index.ts";
export { printProgram } from "./ir/printOperation.ts";
export type { Edge, Function, Program, ProgramVariable as Variable } from "./ir/program.ts";
export { loadProject } from "./languages/loadProject.ts";
export { type CTest, toCTest } from "./render/cTest.ts";
export { explainText } from "./render/explainText.ts";
export { plain } from "./render/layout.ts";
export { toSarif } from "./render/sarif.ts";
