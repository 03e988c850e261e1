import type { Command, CommonRequest } from "../command.ts";
import { reportAsJson } from "../command.ts";
import { existingFolder } from "../options/option.ts";
import { exitCodes } from "../output.ts";
import type { DoctorReport } from "./result.ts";

type DoctorRequest = CommonRequest & { readonly folder: string };

/** `tracefold doctor`: 0 all that is necessary works, 1 something does not. */
export const doctor: Command<Record<never, never>, DoctorRequest, { readonly report: DoctorReport }> = {
  name: "doctor",
  summary: "say what works on this machine, and what each missing part would add",
  argument: { words: "[folder]", help: "the project whose test runner is looked for; default: this folder" },
  options: {},
  request: ({ words: [folder = "."] }) => ({ folder: existingFolder("doctor", folder), timeoutSeconds: null }),
  async work({ folder }) {
    const { examine } = await import("./examine.ts");
    const searchPath = process.env.PATH ?? "";
    return { report: await examine({ folder, searchPath, nodeVersion: process.version }) };
  },
  formats: {
    text: async ({ report }, { paint }) => (await import("../../render/doctorText.ts")).doctorText(report, paint),
    json: reportAsJson,
  },
  exitCode: ({ report }) => (report.status === "ok" ? exitCodes.fine : exitCodes.programIsWrong),
};
