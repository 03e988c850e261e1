import { givenTo } from "../commands/command.ts";
import { explain } from "../commands/explain/command.ts";
import type { ProgramRequest } from "../commands/options/programOptions.ts";
import { type Arguments, callError, word, words } from "./parameters.ts";
import type { Session } from "./session.ts";

/** The parameters that name a C program. */
export const programParameters = {
  files: words("C files of one program"),
  entry: word("function to start at (main)"),
} as const;

/** The parameters that choose a run of it. */
export const runParameters = {
  ...programParameters,
  inputs: word("values of __VERIFIER_nondet_ reads: 3,0,-7"),
  stdin: word("text of standard input"),
  arguments: words(""),
  expected_output: word("expected stdout; other output is a failure"),
  tests: word("folder with NAME.in and NAME.out"),
} as const;

type ProgramArguments = Arguments<typeof programParameters>;
type RunArguments = Arguments<typeof runParameters>;

/** The paths of the program, all of them inside of the workspace. */
export function filesOf({ workspace }: Session, { files }: Pick<ProgramArguments, "files">): readonly string[] {
  if (files === null || files.length === 0)
    throw callError('"files" is missing', "Name the C files of the program, relative to the workspace.");
  return files.map((file) => workspace.path(file, "file"));
}

/** What the user allows for all programs, and what is the same for them. */
export function commonRaw({ settings: { includeFolders, defines } }: Session, entry: string | null) {
  return { includeFolders, defines, ...(entry === null ? {} : { entry }) };
}

/** The request of the command line for a run, with texts in place of files. */
export function explainRequest(session: Session, given: RunArguments & { readonly test: string | null }) {
  const { workspace } = session;
  if (given.tests !== null && (given.stdin !== null || given.expected_output !== null))
    throw callError('"tests" gives each test its input and output', 'Leave out "stdin" and "expected_output".');
  const raw = {
    ...commonRaw(session, given.entry),
    ...(given.inputs === null ? {} : { inputs: given.inputs }),
    ...(given.tests === null ? {} : { tests: workspace.path(given.tests, "folder") }),
    ...(given.test === null ? {} : { test: given.test }),
  };
  const request = explain.request(
    givenTo(explain, { words: filesOf(session, given), programArguments: given.arguments ?? [], raw }),
  );
  return { ...request, ...streams(given), within: workspace.root, withRecording: true };
}

function streams({ stdin, expected_output: expected }: RunArguments): Partial<ProgramRequest> {
  return {
    ...(stdin === null ? {} : { stdin: Buffer.from(stdin, "utf8") }),
    ...(expected === null ? {} : { expected: { stdout: Buffer.from(expected, "utf8") } }),
  };
}
