import { fileURLToPath } from "node:url";

/** Modules that other processes load, by the name of their bundle (tsdown.config.ts); relative to `src/js`. */
const entries = {
  runnerDriver: "runners/driver",
  vitestWorker: "runners/vitestWorker",
  preload: "runners/preload",
  loadSources: "runners/loadSources",
  nodeTestModule: "runners/nodeTestModule",
  recordSources: "runners/recordSources",
  recordTests: "runners/recordTests",
  surveyTransform: "changes/surveyTransform",
  surveyWorker: "changes/surveyWorker",
  replaceSources: "changes/replaced/replaceSources",
  judgeWorker: "changes/judge/judgeWorker",
  traceTransform: "trace/traceTransform",
  traceWorker: "trace/traceWorker",
} as const;

/** The file of a module: the source itself while Tracefold runs from its sources, or the bundle beside this one. */
export function entryPath(name: keyof typeof entries): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? `../${entries[name]}.ts` : `./${name}.js`, import.meta.url));
}
