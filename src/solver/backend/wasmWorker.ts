import { createRequire } from "node:module";
import { workerData } from "node:worker_threads";
import { assertNever } from "../../base/errors.ts";
import { serveRequests, type WorkerSetup } from "./workerConnection.ts";

/** The raw synchronous exports of the compiled solver. The package's asynchronous wrapper corrupts text. */
type Engine = {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  UTF8ToString(pointer: number): string;
  _Z3_mk_config(): number;
  _Z3_del_config(config: number): void;
  _Z3_mk_context(config: number): number;
  _Z3_del_context(context: number): void;
  _Z3_eval_smtlib2_string(context: number, text: number): number;
  _Z3_get_estimated_alloc_size(): number | bigint;
  _Z3_global_param_set(name: number, value: number): void;
  _set_noop_error_handler(context: number): void;
};

const require = createRequire(import.meta.url);
const loadEngine = require("z3-solver/build/z3-built.js") as (overrides: object) => Promise<Engine>;

const quiet = () => {};
const engine = await loadEngine({ print: quiet, printErr: quiet });

const setup = workerData as WorkerSetup & { readonly megabytes: number };
withText("memory_max_size", (name) =>
  withText(`${setup.megabytes}`, (value) => engine._Z3_global_param_set(name, value)),
);
let conversation = createContext();
let broken: string | null = null;

serveRequests(setup, (request, respond) => {
  if (broken !== null) return respond({ kind: "failed", cause: "died", message: broken });
  try {
    switch (request.kind) {
      case "exchange":
        return respond({ kind: "output", text: evaluate(conversation, request.text) });
      case "script": {
        const context = createContext();
        const text = evaluate(context, request.text);
        engine._Z3_del_context(context);
        return respond({ kind: "output", text });
      }
      case "restart":
        engine._Z3_del_context(conversation);
        conversation = createContext();
        return respond({ kind: "output", text: evaluate(conversation, request.text) });
      case "stop":
        return respond({ kind: "output", text: "" });
      default:
        return assertNever(request.kind);
    }
  } catch (error) {
    // After an abort or trap the module's memory is undefined: the thread is discarded.
    broken = describe(error);
    const cause = /memory|OOM/i.test(broken) || isNearlyFull() ? "memory" : "died";
    respond({ kind: "failed", cause, message: `embedded solver stopped: ${broken.slice(0, 200)}` });
  }
});

/** An exception of the compiled code is a special object whose message may be missing. */
function describe(error: unknown): string {
  const { name, message } = error as { readonly name?: unknown; readonly message?: unknown };
  return `${typeof name === "string" ? name : "exception"}: ${typeof message === "string" ? message : "no message"}`;
}

function isNearlyFull(): boolean {
  try {
    return Number(engine._Z3_get_estimated_alloc_size()) > setup.megabytes * 2 ** 20 * 0.8;
  } catch (error) {
    // After a trap the next question fails too, and another engine answers it.
    if (!(error instanceof Error) || error.name !== "RuntimeError") throw error;
    return false;
  }
}

function createContext(): number {
  const config = engine._Z3_mk_config();
  const context = engine._Z3_mk_context(config);
  engine._Z3_del_config(config);
  engine._set_noop_error_handler(context);
  return context;
}

function evaluate(context: number, text: string): string {
  return withText(text, (pointer) => engine.UTF8ToString(engine._Z3_eval_smtlib2_string(context, pointer)));
}

function withText<T>(text: string, use: (pointer: number) => T): T {
  const bytes = Buffer.from(text, "utf8");
  const pointer = engine._malloc(bytes.length + 1);
  if (pointer === 0) throw new Error("out of memory");
  engine.HEAPU8.set(bytes, pointer);
  engine.HEAPU8[pointer + bytes.length] = 0;
  try {
    return use(pointer);
  } finally {
    engine._free(pointer);
  }
}
