import Module, { register } from "node:module";
import { isRecorded, transform } from "./instrument.ts";
import { directoryVariable } from "./logFormat.ts";
import { installRecorder, readSettings } from "./runtime.ts";

/** `node --import tracefold/register`: records what mocha, tape, node:test or any other program loads. */
const directory = process.env[directoryVariable];
const settings = directory === undefined ? null : readSettings(directory);

type Compile = (this: unknown, content: string, filename: string, ...rest: unknown[]) => unknown;

if (directory !== undefined && settings !== null && installRecorder() !== null) {
  const prototype = Module.prototype as unknown as { _compile: Compile };
  const compile = prototype._compile;
  prototype._compile = function (content, filename, ...rest) {
    const text = isRecorded(filename, settings.root) ? transform(directory, filename, content, "commonjs") : null;
    return compile.call(this, text === null ? content : text.toString(), filename, ...rest);
  };
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  register(`./loadHook.${extension}`, import.meta.url, { data: { directory, root: settings.root } });
}
