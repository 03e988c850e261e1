import { TracefoldError } from "../base/errors.ts";
import type { FrontEnd } from "../frontEnd/frontEnd.ts";

/** JavaScript and TypeScript enter as recorded tests (`replay/lowerRecording.ts`); their source alone is no program. */
export const jsFrontEnd: FrontEnd = {
  language: "typescript",
  reads: (path) => /\.[cm]?[jt]sx?$/.test(path),
  load({ files: [file] }) {
    throw new TracefoldError({
      code: "TF109",
      message: `${file?.path}: JavaScript and TypeScript are explained through a failing test`,
      help: "For example: tracefold explain --test NAME -- npx vitest run",
    });
  },
};
