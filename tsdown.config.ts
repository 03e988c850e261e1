import { defineConfig } from "tsdown";
import { noticesPlugin } from "./scripts/noticesPlugin.ts";

/**
 * Bundled: Node reads a few files in half the time it takes for hundreds, and a worker thread lies
 * beside whatever file starts it.
 */
export default defineConfig({
  entry: {
    index: "src/index.ts",
    // Where the command has always been: npx remembers the place.
    "cli/main": "src/cli/main.ts",
    engineWorker: "src/engine/engineWorker.ts",
    taskProcess: "src/batch/pool/taskProcess.ts",
    wasmWorker: "src/solver/backend/wasmWorker.ts",
    processWorker: "src/solver/backend/processWorker.ts",
    // Run in the user's processes: `tracefold/vitest`, `tracefold/register` and what they start.
    vitest: "src/js/recorder/vitest.ts",
    vitestSetup: "src/js/recorder/vitestSetup.ts",
    runVitest: "src/js/recorder/runVitest.ts",
    register: "src/js/recorder/register.ts",
    loadHook: "src/js/recorder/loadHook.ts",
    traceTransform: "src/js/trace/traceTransform.ts",
    traceWorker: "src/js/trace/traceWorker.ts",
    runnerDriver: "src/js/runners/driver.ts",
    vitestWorker: "src/js/runners/vitestWorker.ts",
    reporter: "src/js/runners/reporter.ts",
    preload: "src/js/runners/preload.ts",
    loadSources: "src/js/runners/loadSources.ts",
    nodeTestModule: "src/js/runners/nodeTestModule.ts",
    recordSources: "src/js/runners/recordSources.ts",
    recordTests: "src/js/runners/recordTests.ts",
    surveyTransform: "src/js/changes/surveyTransform.ts",
    surveyWorker: "src/js/changes/surveyWorker.ts",
    replaceSources: "src/js/changes/replaced/replaceSources.ts",
    judgeWorker: "src/js/changes/judge/judgeWorker.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: { entry: ["src/index.ts", "src/js/recorder/vitest.ts", "src/js/runners/reporter.ts"] },
  // The project's own, never a copy of ours.
  deps: { neverBundle: ["vitest"] },
  // Names stay, so that a stack trace can be read.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  plugins: [noticesPlugin()],
  sourcemap: false,
  clean: true,
  fixedExtension: false,
  logLevel: "warn",
});
