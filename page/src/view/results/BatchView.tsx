import { useState } from "preact/hooks";
import { type FailureGroup, type ReportedTask, statusText } from "../../../../src/batch/results/batchReport.ts";
import type { PageData } from "../../../../src/render/page/pageData.ts";
import { visible } from "../../report.ts";
import {
  batchReportOf,
  batchText,
  type Choice,
  chosenTasks,
  groupsText,
  linkOf,
  statusesOf,
  timeOf,
  toneOf,
} from "../../results/batch.ts";
import type { ResultProps } from "../Place.tsx";
import { Section, scrollable } from "../parts.tsx";
import { Headline } from "./parts.tsx";

export function BatchHead({ data }: { readonly data: PageData }) {
  const report = batchReportOf(data);
  return report === null ? null : <Headline text={batchText(report)} tone={toneOf(report)} />;
}

/** Failures by cause, and a table of all tasks with links to the pages of their explanations. */
export function BatchView({ data }: ResultProps) {
  const report = batchReportOf(data);
  const [choice, setChoice] = useState<Choice>({ status: null, text: "", order: "given" });
  const [most, setMost] = useState(rowsAtOnce);
  if (report === null) return null;
  const byName = new Map(report.tasks.map((task) => [task.name, task]));
  const chosen = chosenTasks(report, choice);
  const choose = (more: Partial<Choice>) => {
    setChoice({ ...choice, ...more });
    setMost(rowsAtOnce);
  };
  return (
    <>
      {report.groups.length > 0 && (
        <Section title={groupsText(report)}>
          {report.groups.map((group, i) => (
            <Group key={i} group={group} tasks={byName} isOpen={i < openGroups} />
          ))}
        </Section>
      )}
      <Section title="tasks">
        <div class="actions">
          {[{ text: null, count: report.tasks.length }, ...statusesOf(report)].map(({ text, count }) => (
            <button
              type="button"
              key={text}
              aria-pressed={choice.status === text}
              onClick={() => choose({ status: text })}
            >
              {visible(text ?? "all")} <span class="count">{count}</span>
            </button>
          ))}
          <button
            type="button"
            aria-pressed={choice.order === "slowest"}
            onClick={() => choose({ order: choice.order === "given" ? "slowest" : "given" })}
          >
            slowest first
          </button>
          <input
            type="search"
            aria-label="find tasks"
            placeholder="find tasks"
            value={choice.text}
            onInput={({ currentTarget }) => choose({ text: currentTarget.value })}
          />
        </div>
        {chosen.length === 0 ? (
          <p class="empty">No task is like that.</p>
        ) : (
          <div class="table" {...scrollable}>
            <table class="tasks">
              <thead>
                <tr>
                  {["task", "command", "result", "why", "s", "MB"].map((name, i) => (
                    <th key={name} scope="col" class={i < firstAmount ? "column" : "column amount"}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {chosen.slice(0, most).map((task) => (
                  <TaskRow key={task.name} task={task} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {chosen.length > most && (
          <p>
            <button type="button" onClick={() => setMost(most + rowsAtOnce)}>
              {`${chosen.length - most} more`}
            </button>
          </p>
        )}
      </Section>
      <p class="hint">
        {`Seconds are processor time where it is known. A task may take ${report.limits.seconds} s and ${report.limits.megabytes} MB. `}
        {report.reused > 0 && `${report.reused} of the results come from the store.`}
      </p>
    </>
  );
}

/** The columns from this one on are numbers. */
const firstAmount = 4;
const rowsAtOnce = 500;
const openGroups = 3;
const namesAtOnce = 100;

function Group({
  group: { kind, file, line, text, tasks: names },
  tasks,
  isOpen,
}: {
  readonly group: FailureGroup;
  readonly tasks: ReadonlyMap<string, ReportedTask>;
  readonly isOpen: boolean;
}) {
  return (
    <details class="group" open={isOpen}>
      <summary>
        <strong>{names.length}</strong> {visible(kind)}{" "}
        <span class="kind">{file !== "" && visible(`${file}:${line}`)}</span> <code>{visible(text)}</code>
      </summary>
      <ul class="plain told-list names">
        {names.slice(0, namesAtOnce).map((name) => (
          <li key={name}>
            <TaskName task={tasks.get(name) ?? { name }} />
          </li>
        ))}
        {names.length > namesAtOnce && <li class="empty">{names.length - namesAtOnce} more</li>}
      </ul>
    </details>
  );
}

function TaskName({ task }: { readonly task: Pick<ReportedTask, "name" | "page"> }) {
  const link = linkOf(task);
  return link === null ? <span>{visible(task.name)}</span> : <a href={link}>{visible(task.name)}</a>;
}

function TaskRow({ task }: { readonly task: ReportedTask }) {
  const { command, category, expected, cause, reason, megabytes } = task;
  const why = reason ?? (category === "wrong" ? `expected ${expected}` : (cause?.text ?? ""));
  return (
    <tr class={category}>
      <th scope="row">
        <TaskName task={task} />
      </th>
      <td>{command}</td>
      <td>{visible(statusText(task))}</td>
      <td>{visible(why)}</td>
      <td class="amount">{timeOf(task).toFixed(1)}</td>
      <td class="amount">{megabytes === null ? "" : Math.round(megabytes)}</td>
    </tr>
  );
}
