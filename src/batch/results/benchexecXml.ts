import { hostname } from "node:os";
import type { BatchReport, ReportedTask } from "./batchReport.ts";
import { element } from "./xml.ts";

/** The result format of BenchExec, which `table-generator` reads. */
export function benchexecXml({ tasks, tool }: BatchReport, start: Date): string {
  const runs = tasks.map((task) =>
    element("run", { name: task.name, files: `[${task.name}]`, properties: propertiesOf(task) }, columnsOf(task)),
  );
  const about = {
    ...{ benchmarkname: "tracefold", date: stamp(start), starttime: start.toISOString(), tool: "Tracefold" },
    ...{ version: tool.version, toolmodule: "tracefold", generator: "tracefold batch" },
    ...{ displayName: "batch", memlimit: "", timelimit: "", cpuCores: "" },
  };
  const titles = ["status", "cputime", "walltime", "memory"].map((title) => element("column", { title }, []));
  const head = element("columns", {}, titles);
  const system = element("systeminfo", { hostname: hostname() }, []);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN" "https://www.sosy-lab.org/benchexec/result-3.0.dtd">',
    element("result", about, [head, system, ...runs]),
    "",
  ].join("\n");
}

function columnsOf(task: ReportedTask): readonly string[] {
  const column = (title: string, value: string, hidden = false) =>
    element("column", { title, value, ...(hidden ? { hidden: "true" } : {}) }, []);
  return [
    column("status", statusOf(task)),
    column("category", categoryOf(task), true),
    ...(task.processorSeconds === null ? [] : [column("cputime", `${task.processorSeconds.toFixed(3)}s`)]),
    column("walltime", `${task.seconds.toFixed(3)}s`),
    ...(task.megabytes === null ? [] : [column("memory", `${Math.round(task.megabytes * 2 ** 20)}B`)]),
  ];
}

/** The words of BenchExec: `true`, `false(…)`, `unknown`, `TIMEOUT`, `OUT OF MEMORY`, `ERROR (…)`. */
function statusOf({ answer, reason, command, name }: ReportedTask): string {
  if (answer === null) return `ERROR (${firstLine(reason)})`;
  if (answer === "safe") return "true";
  if (answer === "unsafe") return `false(${name.endsWith("no-overflow") ? "no-overflow" : "unreach-call"})`;
  if (answer !== "unknown") return command === "verify" ? answer : `done (${answer})`;
  if (/MB of memory|TF343/.test(reason ?? "")) return "OUT OF MEMORY";
  if (/processor time|took more than|TF342/.test(reason ?? "")) return "TIMEOUT";
  return "unknown";
}

function categoryOf({ category }: ReportedTask): string {
  switch (category) {
    case "right":
      return "correct";
    case "wrong":
      return "wrong";
    case "answered":
      return "missing";
    case "unknown":
      return "unknown";
    default:
      return "error";
  }
}

function propertiesOf({ command, name }: ReportedTask): string {
  if (command !== "verify") return "";
  return name.endsWith("no-overflow") ? "no-overflow" : "unreach-call";
}

function firstLine(text: string | null): string {
  return ((text ?? "").split("\n")[0] ?? "").slice(0, 100);
}

/** `2026-01-31 12:00:00 UTC`. */
function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
