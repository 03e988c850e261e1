import type { BackendChoice } from "../../solver/backend/backends.ts";
import { type Command, type CommonRequest, reportAsJson } from "../command.ts";
import { type Options, seconds } from "../options/option.ts";
import { solverOption } from "../options/solverOptions.ts";
import { exitCodes, packageVersion } from "../output.ts";
import type { CheckReport } from "./result.ts";

const options = {
  solver: solverOption("who checks; auto takes cvc5, then z3, then the embedded solver"),
  timeoutSeconds: seconds("--timeout <seconds>", "time limit"),
} satisfies Options;

type CheckRequest = CommonRequest & {
  /** A proof's folder or its manifest. */
  readonly path: string;
  readonly solver: BackendChoice;
};

/** `tracefold check`: 0 the proof is accepted, 1 it is wrong, 3 not decided. */
export const check: Command<typeof options, CheckRequest, { readonly report: CheckReport }> = {
  name: "check",
  summary: "check a proof that compress, explain or verify wrote, from the program alone",
  argument: { words: "<path>", help: "the folder of a proof, or the proof.json in it" },
  options,
  request: ({ words: [path = ""], flags: { solver, timeoutSeconds } }) => ({ path, solver, timeoutSeconds }),
  async work({ path, solver }, { cancellation, report: progress }) {
    const { checkFolder } = await import("../../proof/checkFolder.ts");
    const { describeCheck } = await import("./result.ts");
    const start = performance.now();
    const chosen = solver === "auto" ? {} : { checkers: [solver] };
    const checked = await checkFolder(path, { ...chosen, cancellation, progress });
    const ms = Math.round(performance.now() - start);
    return { report: describeCheck(checked, { version: packageVersion(), ms }) };
  },
  formats: {
    async text({ report }, { paint }) {
      const { checkText } = await import("../../render/checkText.ts");
      return checkText(report, paint);
    },
    json: reportAsJson,
  },
  exitCode({ report }) {
    if (report.status === "ok") return exitCodes.fine;
    return report.status === "failed" ? exitCodes.programIsWrong : exitCodes.unknown;
  },
};
