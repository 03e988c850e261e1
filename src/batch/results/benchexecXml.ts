import { arch, cpus, hostname, release, totalmem, type } from "node:os";
import { dirname, relative, resolve } from "node:path";
import type { BatchReport, ReportedTask } from "./batchReport.ts";
import { element } from "./xml.ts";

/** The result format of BenchExec 3, which `table-generator` reads. Its paths begin at the folder of the file. */
export function benchexecXml({ tasks, tool, limits, seconds }: BatchReport, start: Date, path: string): string {
  const end = new Date(start.getTime() + 1000 * seconds);
  const about = {
    ...{ benchmarkname: "tracefold", date: stamp(start), starttime: start.toISOString(), endtime: end.toISOString() },
    ...{ tool: "Tracefold", version: tool.version, toolmodule: "tracefold", generator: "tracefold batch" },
    ...{ displayName: "batch", timelimit: `${limits.seconds}s`, memlimit: `${limits.megabytes * 2 ** 20}B` },
  };
  const titles = ["status", "cputime", "walltime", "memory"].map((title) => element("column", { title }, []));
  const head = element("columns", {}, titles);
  const runs = tasks.map((task) => element("run", identityOf(task, dirname(path)), columnsOf(task)));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN" "https://www.sosy-lab.org/benchexec/result-3.0.dtd">',
    element("result", about, [head, systemInfo(), ...runs]),
    "",
  ].join("\n");
}

/** This machine; with a queue, that of the batch and not those of its workers. */
function systemInfo(): string {
  const [{ model, speed } = { model: "unknown", speed: 0 }] = cpus();
  return element("systeminfo", { hostname: hostname() }, [
    element("os", { name: `${type()} ${release()} ${arch()}` }, []),
    element("cpu", { cores: `${cpus().length}`, frequency: `${speed * 1e6}Hz`, model }, []),
    element("ram", { size: `${totalmem()}B` }, []),
    element("environment", {}, []),
  ]);
}

/** The same definition and property is the same row as that of another tool. */
function identityOf({ name, definition, expected }: ReportedTask, folder: string): Readonly<Record<string, string>> {
  if (definition === undefined) return { name };
  const path = relative(folder, resolve(definition.path));
  const property = definition.property === null ? {} : { properties: definition.property };
  const verdict = expected === null ? {} : { expectedVerdict: expected === "safe" ? "true" : "false" };
  return { name: path, files: `[${path}]`, ...property, ...verdict };
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
function statusOf({ answer, reason, command, definition }: ReportedTask): string {
  if (answer === null) return `ERROR (${firstLine(reason)})`;
  if (answer === "safe") return "true";
  if (answer === "unsafe") return `false(${definition?.property ?? "unreach-call"})`;
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

function firstLine(text: string | null): string {
  return ((text ?? "").split("\n")[0] ?? "").slice(0, 100);
}

/** `2026-01-31 12:00:00 UTC`. */
function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
