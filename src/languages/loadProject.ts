import { cFrontEnd } from "../c/cFrontEnd.ts";
import { type ChangeSource, type FrontEnd, type FrontEndOptions, originOf } from "../frontEnd/frontEnd.ts";
import type { Project } from "../frontEnd/project.ts";
import type { Program } from "../ir/program.ts";
import { jsFrontEnd } from "../js/jsFrontEnd.ts";

/** A third language adds its front end here. */
const frontEnds: readonly FrontEnd[] = [cFrontEnd, jsFrontEnd];

/** A project as a checked program, by the front end that reads its files; files with other names are C. */
export async function loadProject(project: Project, options: FrontEndOptions = {}): Promise<Program> {
  return frontEndOf(project).load(project, options);
}

/** How changes of a program's text are proposed and run; null if that is not possible. */
export function changesOf(program: Program): ChangeSource | null {
  const origin = originOf(program);
  // A watched condition is no failure that a change repairs.
  if (origin === null || program.watched !== undefined) return null;
  const { project, options } = origin;
  const frontEnd = frontEndOf(project).changes?.({ ...options, unsupported: "whenReached" });
  return frontEnd === undefined ? null : { frontEnd, project };
}

function frontEndOf(project: Project): FrontEnd {
  return frontEnds.find(({ reads }) => project.files.some(({ path }) => reads(path))) ?? cFrontEnd;
}
