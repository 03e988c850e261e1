import { cFrontEnd } from "../c/cFrontEnd.ts";
import type { FrontEnd, FrontEndOptions } from "../frontEnd/frontEnd.ts";
import type { Project } from "../frontEnd/project.ts";
import type { Program } from "../ir/program.ts";

export function loadProject(project: Project, options: FrontEndOptions = {}): Promise<Program> {
  return frontEndOf(project).load(project, options);
}

function frontEndOf(_project: Project): FrontEnd {
  return cFrontEnd;
}
