import { useMemo, useState } from "preact/hooks";
import type { Explained } from "../../../src/commands/explain/result.ts";
import { effectText } from "../../../src/render/chooseRows.ts";
import type { PageData } from "../../../src/render/page/pageData.ts";
import type { Client } from "../client.ts";
import type { ShownPage } from "../pageState.ts";
import { changesOf, diffOf, type ListedChange, testsText, visible } from "../report.ts";
import { Place } from "./Place.tsx";
import { Evidence, Section } from "./parts.tsx";

const mostShown = 20;

/** The changes and experiments with which the run goes another way. */
export function ChangesPanel({
  data,
  explained,
  client,
  page,
}: {
  readonly data: PageData;
  readonly explained: Explained;
  readonly client: Client | null;
  readonly page: ShownPage;
}) {
  const all = useMemo(() => changesOf(explained), [explained]);
  const [most, setMost] = useState(mostShown);
  if (all.length === 0) return <p class="empty">No change was found with which the run goes another way.</p>;
  return (
    <Section title={`${all.length} changes with which the run goes another way`}>
      <p class="hint">A change that passes the tests need not be the right one.</p>
      <ol class="plain changes">
        {all.slice(0, most).map((listed, i) => (
          <li key={`${listed.rank} ${i}`}>
            <Change data={data} listed={listed} client={client} page={page} />
          </li>
        ))}
      </ol>
      {all.length > most && (
        <button type="button" onClick={() => setMost(most + 100)}>
          {all.length - most} more
        </button>
      )}
    </Section>
  );
}

function Change({
  data,
  listed,
  client,
  page,
}: {
  readonly data: PageData;
  readonly listed: ListedChange;
  readonly client: Client | null;
  readonly page: ShownPage;
}) {
  const { suspect, change, whatIf } = listed;
  const { location, function: fn } = suspect;
  const text = change?.text ?? whatIf?.text ?? "";
  return (
    <article class="change">
      <header>
        <Place data={data} client={client} page={page} at={location} text={`${fn}:${location.line}`} />
        <span>{visible(text)}</span>
      </header>
      {change !== null && <Diff data={data} change={change} />}
      <p class="claim">
        {change !== null ? effectOfChange(change) : whatIf === null ? "" : effectText(whatIf)}{" "}
        <Evidence kind="re-run" />
      </p>
    </article>
  );
}

function effectOfChange(change: NonNullable<ListedChange["change"]>): string {
  const way = change.confirmed ? "" : "; run inside of the program, not as a program of its own";
  const avoids = change.avoids ? ", because it does not come to the failing check" : "";
  if (change.level === "passes") return `the run passes${avoids}; ${testsText(change)}${way}`;
  return change.level === "getsPast"
    ? `the run gets past the failure, and fails in another way${way}`
    : `the run fails as before${way}`;
}

function Diff({ data, change }: { readonly data: PageData; readonly change: NonNullable<ListedChange["change"]> }) {
  const lines = diffOf(change, data.files);
  if (lines.length === 0) return null;
  return (
    <pre class="diff">
      {lines.map(({ sign, line, text }, i) => (
        <span key={`${sign}${i}`} class={sign === "-" ? "removed" : "added"}>
          <span class="old">{sign === "-" ? line : ""}</span>
          {sign} {visible(text)}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
