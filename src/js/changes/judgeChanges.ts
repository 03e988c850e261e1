import { changeKinds } from "../../changes/kinds.ts";
import type { RunnerSession } from "../runners/session.ts";
import { testCodeOf } from "../runners/testCode.ts";
import { confirmChanges, evidenceOf } from "./confirmChanges.ts";
import { type JsJudgement, type JudgeRequest, notJudged, type PassingJsChange } from "./judgement.ts";
import { compileAll, inTurns, placesOf, reachedFiles } from "./switchedSources.ts";
import type { Switch } from "./switches.ts";
import { judgeElsewhere, loadWork, loadWorkAlone, noTrial, tryAtLoad, tryInPlace } from "./tryChanges.ts";

/** Tries changes in the real program: on the failing test, on other tests, and the best ones on the changed source. */
export async function judgeChanges(request: JudgeRequest): Promise<JsJudgement> {
  const { target, survey, rank } = request;
  const surveyed = survey.files.find(({ file, project }) => file === target.id.file && project === target.id.project);
  const test = surveyed?.tests.find(({ name }) => name === target.id.name);
  if (surveyed === undefined || test === undefined) return nothing("the test did not run again");
  const isTestCode = testCodeOf(survey.run, request.session.root);
  const files = reachedFiles(surveyed, target.id.name).filter(({ path }) => !isTestCode(path));
  const switched = compileAll(files, rank ?? (() => 0));
  const place = placesOf(switched.switches);
  const line = ({ proposal: { change } }: Switch) => rank?.(change.file, change.lines[0] ?? 0) ?? 0;
  const order = inTurns(switched.switches, line);
  // The likeliest kinds come first; of a line, the first changes of all places before the second ones.
  const turn = ({ number }: Switch) => number - place(number);
  const stage = ({ proposal: { change } }: Switch) => changeKinds[change.kind].stage;
  const turns = order.toSorted((a, b) => stage(a) - stage(b) || line(a) - line(b) || turn(a) - turn(b));
  const isRelated = ({ proposal: { change } }: Switch) =>
    request.isRelated?.(change.file, change.lines[0] ?? 0) ?? true;
  const related = turns.filter(isRelated);
  const effects = test.effects.length > 0;
  // A changed program may write where the program itself does not.
  const hasEffects = survey.files.some(({ tests }) => tests.some((each) => each.effects.length > 0));
  const inPlace = effects
    ? { ...noTrial, notice: `the test ${test.effects.join(" and ")}, so it is not run again in place` }
    : await tryInPlace(request, switched.sources, order, related, place);
  const tried = hasEffects
    ? inPlace
    : {
        ...inPlace,
        passing: await judgeElsewhere(request, switched.sources, switched.switches, place, inPlace.passing),
      };
  const byNumber = new Map(switched.switches.map((each) => [each.number, each.proposal.change]));
  const isFound = [...tried.passing.values()].some(
    ({ broken, repairs }) => broken.length === 0 && (repairs ?? 1) === 1,
  );
  const atLoad = effects ? turns : related.filter((each) => tried.load.has(place(each.number)));
  const session = hasEffects ? await copyOf(request.session) : request.session;
  if (session === null) return nothing("the project cannot be copied, so no change was run");
  const apart = { ...request, session };
  try {
    const isOver = isFound || tried.hasLoaded;
    const loads = isOver ? [] : await tryAtLoad(apart, switched.sources, atLoad, effects ? loadWorkAlone : loadWork);
    const judged = [...tried.passing, ...loads];
    const passing = judged.flatMap(([number, verdict]): readonly PassingJsChange[] => {
      const change = byNumber.get(number);
      return change === undefined ? [] : [{ change, ...verdict, stillFailing: [], isConfirmed: false }];
    });
    const evidence = evidenceOf(switched.switches, place, tried);
    const lines = await confirmChanges(apart, files, passing, evidence);
    const { complete, reruns, notice, proposed } = tried;
    const suspicion = (file: string, line: number) => evidence(file, line).suspicion;
    return { lines, suspicion, proposed, tried: tried.tried, reruns: reruns + loads.length, complete, notice };
  } finally {
    if (hasEffects) session.close();
  }
}

/** null if a file cannot be read, or if the disk is full. */
async function copyOf(session: RunnerSession): Promise<RunnerSession | null> {
  try {
    return await session.copy();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return null;
    throw error;
  }
}

function nothing(notice: string): JsJudgement {
  return { ...notJudged, notice };
}
