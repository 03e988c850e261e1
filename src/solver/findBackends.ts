import { assertNever, TracefoldError } from "../base/errors.ts";
import type { Backend, BackendName } from "./backend/backend.ts";
import { findExecutable } from "./backend/findExecutable.ts";
import { cvc5Backend, z3Backend } from "./backend/processBackend.ts";
import { wasmBackend } from "./backend/wasmBackend.ts";

/** `auto` takes a native z3 where there is one, else the embedded solver. */
export type BackendChoice = "auto" | BackendName;

/**
 * The back ends to try in order: the first that introduces itself properly is used. Naming one that is not installed is
 * an input error. `searchPath` is where executables are looked for; `megabytes` limits a solver's memory.
 */
export function findBackends(
  choice: BackendChoice,
  { searchPath, megabytes }: { readonly searchPath?: string | undefined; readonly megabytes?: number | undefined } = {},
): readonly [Backend, ...Backend[]] {
  switch (choice) {
    case "wasm":
      return [wasmBackend(megabytes)];
    case "auto": {
      const path = findExecutable("z3", searchPath);
      return path === null ? [wasmBackend(megabytes)] : [z3Backend(path, megabytes), wasmBackend(megabytes)];
    }
    case "z3":
      return [z3Backend(require("z3"), megabytes)];
    case "cvc5":
      return [cvc5Backend(require("cvc5"), megabytes)];
    default:
      return assertNever(choice);
  }

  function require(name: string): string {
    const path = findExecutable(name, searchPath);
    if (path !== null) return path;
    throw new TracefoldError({
      code: "TF192",
      message: `no executable ${name} on the search path`,
      help: "Install it, or use --solver wasm, which needs nothing.",
    });
  }
}
