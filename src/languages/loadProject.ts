import { cFrontEnd } from "../c/cFrontEnd.ts";
import type { ChangeFrontEnd, FrontEnd, FrontEndOptions } from "../frontEnd/frontEnd.ts";
import type { Project } from "../frontEnd/project.ts";
import type { Program } from "../ir/program.ts";
import { jsFrontEnd } from "../js/jsFrontEnd.ts";

/** A third language adds its front end here. */
const frontEnds: readonly FrontEnd[] = [cFrontEnd, jsFrontEnd];

/** A project as a checked program, by the front end that reads its files; files with other names are C. */
export async function loadProject(project: Project, options: FrontEndOptions = {}): Promise<Program> {
  return frontEndOf(project).load(project, options);
}

/** How changes of the project's text are proposed and run; null if its language cannot. */
export function changesOf(project: Project, options: FrontEndOptions): ChangeFrontEnd | null {
  return frontEndOf(project).changes?.(options) ?? null;
}

function frontEndOf(project: Project): FrontEnd {
  return frontEnds.find(({ reads }) => project.files.some(({ path }) => reads(path))) ?? cFrontEnd;
}
