import type { ComponentChildren } from "preact";
import type { PageData } from "../../../src/render/page/pageData.ts";
import { visible } from "../report.ts";

/** The title of a result that is no explanation. */
export function ReportHead({ data: { report } }: { readonly data: PageData }) {
  const { verdict, status, command } = report as {
    readonly verdict?: string;
    readonly status?: string;
    readonly command: string;
  };
  return (
    <div class="failure">
      <h1>{visible(`${command}: ${verdict ?? status ?? "done"}`)}</h1>
    </div>
  );
}

/** The whole report as it is in JSON, part by part. */
export function ReportPanel({ data: { report } }: { readonly data: PageData }) {
  return (
    <dl class="report">
      {Object.entries(report).map(([name, value]) => (
        <Field key={name} name={name} value={value} isOpen={false} />
      ))}
    </dl>
  );
}

const mostEntries = 200;

function Field({
  name,
  value,
  isOpen,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly isOpen: boolean;
}): ComponentChildren {
  if (typeof value !== "object" || value === null) {
    return (
      <div class="field">
        <dt>{visible(name)}</dt>
        <dd>{visible(String(value))}</dd>
      </div>
    );
  }
  const entries = Object.entries(value);
  return (
    <div class="field">
      <dt class="whole">
        <details open={isOpen}>
          <summary>
            {visible(name)} <span class="count">{Array.isArray(value) ? entries.length : ""}</span>
          </summary>
          <dl>
            {entries.slice(0, mostEntries).map(([key, each]) => (
              <Field key={key} name={key} value={each} isOpen={false} />
            ))}
            {entries.length > mostEntries && <p class="empty">{entries.length - mostEntries} more</p>}
          </dl>
        </details>
      </dt>
    </div>
  );
}
