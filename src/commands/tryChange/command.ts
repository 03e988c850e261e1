import { formatError, TracefoldError } from "../../base/errors.ts";
import type { Project } from "../../frontEnd/project.ts";
import type { TestSuite } from "../../interpreter/run.ts";
import type { Program } from "../../ir/program.ts";
import type { CommonRequest, Job, Workplace } from "../command.ts";
import type { ProgramRequest } from "../options/programOptions.ts";
import type { RequestedTests } from "../options/testOptions.ts";
import type { TestReport } from "../run/result.ts";
import type { ChangedFile, TryResult } from "./result.ts";

export type TryRequest = CommonRequest & {
  readonly changes: readonly ChangedFile[];
  readonly subject:
    | {
        readonly kind: "program";
        readonly program: ProgramRequest;
        readonly tests: RequestedTests | null;
        /** The name of the test that fails; null for the run of the program. */
        readonly test: string | null;
      }
    | { readonly kind: "project"; readonly command: readonly string[]; readonly test: string };
};

/** Runs all tests with a change that stays in memory. */
export const tryChange: Job<TryRequest, TryResult> = {
  name: "tryChange",
  async work(request, at) {
    const { subject, changes } = request;
    if (subject.kind === "program") return tryInProgram(subject, changes, at);
    const { tryInTests } = await import("./tryInTests.ts");
    const { command, test } = subject;
    return tryInTests(command, test, changes, { cancellation: at.cancellation, progress: at.report });
  },
};

type ProgramSubject = Extract<TryRequest["subject"], { readonly kind: "program" }>;

/** The name of the run of the program itself. */
const ownRun = "the run";

async function tryInProgram(
  subject: ProgramSubject,
  changes: readonly ChangedFile[],
  at: Workplace<TryResult>,
): Promise<TryResult> {
  const { requestedProject } = await import("../request.ts");
  const { compareTests } = await import("./compareTests.ts");
  at.report("running the tests as they are");
  const project = await requestedProject(subject.program);
  const before = await runAll(project, subject, at);
  at.report("running the tests with the change");
  try {
    const after = await runAll(withChanges(project, changes), subject, at);
    return compareTests(before, after, subject.test ?? ownRun);
  } catch (error) {
    if (!(error instanceof TracefoldError) || error.kind === "limit") throw error;
    return { kind: "notRun", reason: `the changed program cannot be read: ${formatError(error)}` };
  }
}

function withChanges(project: Project, changes: readonly ChangedFile[]): Project {
  const texts = new Map(changes.map(({ path, now }) => [path, now]));
  const own = new Set(project.files.map(({ path }) => path));
  return {
    ...project,
    files: project.files.map((file) => ({ ...file, text: texts.get(file.path) ?? file.text })),
    changedHeaders: new Map([...texts].filter(([path]) => !own.has(path))),
  };
}

async function runAll(
  project: Project,
  { program: request, tests }: ProgramSubject,
  at: Pick<Workplace, "cancellation">,
): Promise<readonly TestReport[]> {
  const { throwIfCancelled } = await import("../../base/cancellation.ts");
  const { frameworkTests, runTest } = await import("../../interpreter/run.ts");
  const { describeTest } = await import("../run/describeRun.ts");
  const { judgedRun, loadRequested, testSuite, withTests } = await import("../request.ts");
  const load: Parameters<typeof withTests>[0] = (more) =>
    loadRequested(project, request, at, { unsupported: "whenReached", ...more });
  const program = await withTests(load, []);
  const base = judgedRun(request, at);
  const framework = tests === null ? frameworkTests(program, base) : [];
  const listed = tests === null ? [{ name: ownRun, run: base }] : testSuite(program, base, tests.list);
  const suite = framework.length > 0 ? framework : [...listed, ...(await testFunctions(program, base))];
  const reports: TestReport[] = [];
  for (const test of suite) {
    reports.push(describeTest(program, runTest(program, test)));
    throwIfCancelled(at.cancellation, "running the tests");
  }
  return reports;
}

/** Functions without parameters whose names say that they are tests. */
async function testFunctions(program: Program, base: TestSuite[number]["run"]): Promise<TestSuite> {
  const { isTestName } = await import("../request.ts");
  const { expected: _, ...run } = base;
  return program.functions
    .filter(({ id, name, parameters }) => isTestName(name) && parameters.length === 0 && id !== program.entry)
    .map(({ id, name }) => ({ name, run: { ...run, entry: id } }));
}
