import { type BatchReport, isBad, type ReportedTask, statusText } from "./batchReport.ts";
import { attribute, element } from "./xml.ts";

/** JUnit's XML, which CI servers show: a wrong answer is a failure, no answer an error, an unknown one is skipped. */
export function junitXml({ tasks, seconds }: BatchReport): string {
  const cases = tasks.map((task) =>
    element(
      "testcase",
      { name: task.name, classname: `tracefold.${task.command || "batch"}`, time: task.seconds.toFixed(3) },
      outcomeOf(task),
    ),
  );
  const count = (wanted: (task: ReportedTask) => boolean) => `${tasks.filter(wanted).length}`;
  const counts = {
    tests: `${tasks.length}`,
    failures: count(isFailure),
    errors: count(({ category }) => category === "failed"),
    skipped: count(({ category }) => category === "unknown"),
    time: seconds.toFixed(3),
  };
  const suite = element("testsuite", { name: "tracefold batch", ...counts }, cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", {}, [suite])}\n`;
}

function isFailure(task: ReportedTask): boolean {
  return task.category === "wrong" || isBad(task);
}

function outcomeOf(task: ReportedTask): readonly string[] {
  const { category, reason, cause, answer, expected } = task;
  if (category === "failed") return [element("error", { message: reason ?? "" }, [])];
  if (category === "unknown") return [element("skipped", { message: reason ?? "" }, [])];
  if (!isFailure(task)) return [];
  const said = expected === null ? statusText(task) : `${answer}, expected ${expected}`;
  const place = cause === null ? "" : `${cause.kind} at ${cause.file}:${cause.line}: ${cause.text}`;
  return [element("failure", { message: said, type: cause?.kind ?? "wrong" }, place === "" ? [] : [attribute(place)])];
}
