import { formatPlace, type SourceRange } from "./sourceRange.ts";
import { spelledOut } from "./text.ts";

/**
 * The four kinds of error, and no others. The first three are the user's to act on: they carry a code, a place where
 * there is one, and the next step. A `Defect` is ours.
 *
 *   TF1xx  input error           the user can fix it              exit code 2
 *   TF2xx  unsupported feature   with the place of the construct  exit code 2
 *   TF3xx  resource limit        a larger limit may help          exit code 3
 *   TF9xx  defect of Tracefold                                    exit code 70
 */
export type ErrorKind = "input" | "unsupported" | "limit";

export type ErrorDetails = {
  /** `TF101` and so on; the list is in `docs/errors.md`. */
  readonly code: `TF${1 | 2 | 3}${number}`;
  readonly message: string;
  readonly range?: SourceRange | undefined;
  /** One sentence: what the user can do next. */
  readonly help?: string | undefined;
};

export class TracefoldError extends Error {
  readonly kind: ErrorKind;
  readonly code: ErrorDetails["code"];
  readonly range: SourceRange | undefined;
  readonly help: string | undefined;

  constructor(details: ErrorDetails) {
    super(details.message);
    this.name = "TracefoldError";
    this.code = details.code;
    this.kind = kindOfCode(details.code);
    this.range = details.range;
    this.help = details.help;
  }
}

/** A broken invariant inside Tracefold. Only the outermost layer catches it and asks for a report. */
export class Defect extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Defect";
  }
}

function kindOfCode(code: string): ErrorKind {
  switch (code[2]) {
    case "1":
      return "input";
    case "2":
      return "unsupported";
    default:
      return "limit";
  }
}

/** `file.c:3:7: TF201: inline assembly is not supported`, then the help on a second line. */
export function formatError(error: TracefoldError): string {
  const place = error.range ? `${formatPlace(error.range)}: ` : "";
  const help = error.help ? `\n  ${error.help}` : "";
  return spelledOut(`${place}${error.code}: ${error.message}${help}`);
}

/** Ends every `switch` over a union: the type checker proves that the call is unreachable. */
export function assertNever(value: never, what = "value"): never {
  throw new Defect(`unexpected ${what}: ${JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}` : v))}`);
}

/** The result of the work; null if it ends with an error that is reported to users. */
export function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}
