import { cFrontEnd } from "../c/cFrontEnd.ts";
import type { FrontEnd, FrontEndOptions } from "../frontEnd/frontEnd.ts";
import type { Project } from "../frontEnd/project.ts";
import type { Program } from "../ir/program.ts";

/** A project as a checked program, by the front end of its language. */
export function loadProject(project: Project, options: FrontEndOptions = {}): Promise<Program> {
  return frontEndOf(project).load(project, options);
}

/** All projects are C so far. */
function frontEndOf(_project: Project): FrontEnd {
  return cFrontEnd;
}
