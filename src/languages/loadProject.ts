import { cFrontEnd } from "../c/cFrontEnd.ts";
import type { FrontEnd, FrontEndOptions } from "../frontEnd/frontEnd.ts";
import type { Project } from "../frontEnd/project.ts";
import type { Program } from "../ir/program.ts";
import { jsFrontEnd } from "../js/jsFrontEnd.ts";

/** A third language adds its front end here. */
const frontEnds: readonly FrontEnd[] = [cFrontEnd, jsFrontEnd];

/** A project as a checked program, by the front end that reads its files; files with other names are C. */
export async function loadProject(project: Project, options: FrontEndOptions = {}): Promise<Program> {
  const frontEnd = frontEnds.find(({ reads }) => project.files.some(({ path }) => reads(path))) ?? cFrontEnd;
  return frontEnd.load(project, options);
}
