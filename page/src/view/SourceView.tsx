import { memo } from "preact/compat";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MomentValue } from "../../../src/recording/moment.ts";
import { type PageData, type PageSource, type PageToken, tokenStyles } from "../../../src/render/page/pageData.ts";
import type { Client } from "../client.ts";
import type { LineNotes } from "../lineNotes.ts";
import { type ShownPage, useAnswer } from "../pageState.ts";
import { visible } from "../report.ts";
import { scrollable, ValueButton } from "./parts.tsx";

type LineFacts = {
  /** How often statements of this line were executed; null for a line without statements. */
  readonly count: number | null;
  readonly mark: string | null;
  readonly notes: readonly string[];
};

/** The source of one file, with what happened on each line. */
export function SourceView({
  data,
  client,
  page,
  marks,
  notes,
}: {
  readonly data: PageData;
  readonly client: Client | null;
  readonly page: ShownPage;
  readonly marks: ReadonlyMap<string, string>;
  readonly notes: LineNotes;
}) {
  const { state, actions, look } = page;
  const names = client?.head.files ?? data.files.map(({ path }) => path);
  const sources = useMemo(
    () => names.map((path) => data.files.find((file) => file.path === path) ?? null),
    [data, names],
  );
  const shown = sources[state.file] ?? sources.find((source) => source !== null) ?? null;
  const counts = useAnswer(client === null ? null : () => client.ask("counts"), [client]);
  const facts = useMemo(
    () => (shown === null ? new Map() : lineFacts(shown, state.file, client, counts, marks, notes)),
    [shown, state.file, client, counts, marks, notes],
  );
  const values = useMemo(() => valuesByLine(client, look, state.file), [client, look, state.file]);
  const statement = client?.head.statements[look?.moment.statement ?? -1];
  const here = state.line ?? (statement === undefined ? null : { file: statement.file, line: statement.at[0] });
  const current = here?.file === state.file ? here.line : null;

  const ask = async (line: number, column: number | null) => {
    if (client === null) return;
    const pointed = column === null ? null : await client.ask("valueAt", state.file, line, column, state.step);
    if (pointed !== null) return actions.point(pointed);
    const near = await client.ask("onLine", state.file, line, state.step);
    if (near === null) actions.askWhyNot(state.file, line);
    else actions.goTo(near);
  };

  return (
    <div class="source">
      <div class="tabs" role="tablist" aria-label="files">
        {sources.map(
          (source, i) =>
            source !== null && (
              <button
                type="button"
                key={source.path}
                role="tab"
                aria-selected={source === shown}
                tabIndex={source === shown ? 0 : -1}
                onClick={() => actions.showFile(i)}
                onKeyDown={(event) => moveFocus(event)}
              >
                {visible(source.path)}
              </button>
            ),
        )}
      </div>
      {shown === null ? (
        <p class="empty">The page has no source text.</p>
      ) : (
        <Lines
          source={shown}
          facts={facts}
          values={values}
          current={current}
          onAsk={ask}
          onValue={(value) => point(client, page, value)}
        />
      )}
    </div>
  );
}

/** Arrow keys move along a list of tabs. */
export function moveFocus(event: KeyboardEvent): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (by === 0) return;
  const tabs = [...((event.currentTarget as HTMLElement).parentElement?.children ?? [])] as HTMLElement[];
  const next = tabs[(tabs.indexOf(event.currentTarget as HTMLElement) + by + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
  event.stopPropagation();
}

export async function point(
  client: Client | null,
  { actions }: ShownPage,
  { step, cell }: Pick<MomentValue, "step" | "cell">,
): Promise<void> {
  if (client === null || step < 0) return;
  const pointed = await client.ask("written", step, cell);
  if (pointed === null) actions.askWhy(step);
  else actions.point(pointed);
}

function lineFacts(
  source: PageSource,
  file: number,
  client: Client | null,
  counts: readonly number[] | null,
  marks: ReadonlyMap<string, string>,
  notes: LineNotes,
): ReadonlyMap<number, LineFacts> {
  const facts = new Map<number, LineFacts>();
  const empty: LineFacts = { count: null, mark: null, notes: [] };
  const set = (line: number, part: Partial<LineFacts>) => facts.set(line, { ...(facts.get(line) ?? empty), ...part });
  for (const [i, statement] of (client?.head.statements ?? []).entries()) {
    if (statement.file !== file || counts === null) continue;
    const [line] = statement.at;
    set(line, { count: Math.max(facts.get(line)?.count ?? 0, counts[i] ?? 0) });
  }
  for (const [place, mark] of marks) {
    const at = place.lastIndexOf(":");
    if (place.slice(0, at) === source.path) set(Number(place.slice(at + 1)), { mark });
  }
  for (const [place, texts] of notes) {
    const at = place.lastIndexOf(":");
    if (place.slice(0, at) === source.path) set(Number(place.slice(at + 1)), { notes: texts });
  }
  return facts;
}

function valuesByLine(
  client: Client | null,
  look: ShownPage["look"],
  file: number,
): ReadonlyMap<number, readonly MomentValue[]> {
  const byLine = new Map<number, MomentValue[]>();
  for (const { statement, values } of look?.lines ?? []) {
    const own = client?.head.statements[statement];
    if (own?.file !== file || values.length === 0) continue;
    const [line] = own.at;
    byLine.set(line, [...(byLine.get(line) ?? []), ...values]);
  }
  return byLine;
}

const chunkSize = 100;

/** Lines in chunks: only those near the window are drawn, so that long files open at once. */
function Lines({
  source,
  facts,
  values,
  current,
  onAsk,
  onValue,
}: {
  readonly source: PageSource;
  readonly facts: ReadonlyMap<number, LineFacts>;
  readonly values: ReadonlyMap<number, readonly MomentValue[]>;
  readonly current: number | null;
  readonly onAsk: (line: number, column: number | null) => void;
  readonly onValue: (value: MomentValue) => void;
}) {
  const lines = useMemo(() => source.text.split("\n"), [source]);
  const box = useRef<HTMLElement>(null);
  const [near, setNear] = useState<readonly [number, number]>([0, 2]);
  const chunks = Math.ceil(lines.length / chunkSize);

  useEffect(() => {
    const element = box.current;
    if (element === null || current === null) return;
    const chunk = Math.floor((current - 1) / chunkSize);
    setNear([Math.max(0, chunk - 1), chunk + 1]);
    requestAnimationFrame(() => {
      const line = element.querySelector<HTMLElement>(`[data-line="${current}"]`);
      if (line !== null) scrollTo(element, line);
    });
  }, [current, source]);

  // Values beside the lines are buttons; a click into the text is a shorter way for the mouse.
  useEffect(() => {
    const element = box.current;
    const click = (event: MouseEvent) => {
      const code = (event.target as HTMLElement).closest("code");
      const line = Number(code?.parentElement?.dataset.line ?? Number.NaN);
      if (code !== null && Number.isFinite(line)) onAsk(line, columnOf(event, code));
    };
    element?.addEventListener("click", click);
    return () => element?.removeEventListener("click", click);
  });

  const follow = () => {
    const element = box.current;
    if (element === null) return;
    const height = element.scrollHeight / Math.max(1, chunks);
    const first = Math.max(0, Math.floor(element.scrollTop / height) - 1);
    const last = Math.floor((element.scrollTop + element.clientHeight) / height) + 1;
    if (first < near[0] || last > near[1]) setNear([first, last]);
  };

  return (
    <section class="lines" ref={box} onScroll={follow} aria-label={`source of ${source.path}`} {...scrollable}>
      {Array.from({ length: chunks }, (_, chunk) => {
        const from = chunk * chunkSize;
        const own = lines.slice(from, from + chunkSize);
        const isNear = chunk >= near[0] && chunk <= near[1];
        if (!isNear) return <div key={chunk} class="chunk" style={{ height: `calc(${own.length} * var(--line))` }} />;
        return (
          <div key={chunk} class="chunk">
            {own.map((text, i) => (
              <Line
                key={from + i}
                number={from + i + 1}
                text={text}
                tokens={source.tokens[from + i] ?? noTokens}
                facts={facts.get(from + i + 1) ?? null}
                values={values.get(from + i + 1) ?? noValues}
                isCurrent={from + i + 1 === current}
                onAsk={onAsk}
                onValue={onValue}
              />
            ))}
          </div>
        );
      })}
    </section>
  );
}

/** Scrolls a line into the middle if it is not to be seen with some lines around it; the page itself stays. */
function scrollTo(box: HTMLElement, line: HTMLElement): void {
  const [outer, inner] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
  const around = Math.min(3 * inner.height, outer.height / 4);
  if (inner.top >= outer.top + around && inner.bottom <= outer.bottom - around) return;
  box.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
}

const noTokens: readonly PageToken[] = [];
const noValues: readonly MomentValue[] = [];
const mostValues = 6;

type LineProps = {
  readonly number: number;
  readonly text: string;
  readonly tokens: readonly PageToken[];
  readonly facts: LineFacts | null;
  readonly values: readonly MomentValue[];
  readonly isCurrent: boolean;
  readonly onAsk: (line: number, column: number | null) => void;
  readonly onValue: (value: MomentValue) => void;
};

const Line = memo(DrawnLine, (a: LineProps, b: LineProps) =>
  (["number", "text", "tokens", "facts", "values", "isCurrent"] as const).every((key) => a[key] === b[key]),
);

function DrawnLine({ number, text, tokens, facts, values, isCurrent, onAsk, onValue }: LineProps) {
  const count = facts?.count ?? null;
  const kind = count === null ? "" : count === 0 ? "skipped" : "executed";
  const mark = facts?.mark ?? null;
  const about =
    count === null
      ? `line ${number}`
      : count === 0
        ? `line ${number}: not executed; ask why not`
        : `line ${number}: executed ${count} times; go there`;
  return (
    <>
      {facts?.notes.map((note) => (
        <p key={note} class="note">
          <code>{/^\s*/.exec(text)?.[0]}</code>
          {visible(note)}
        </p>
      ))}
      <div class={`line ${kind} ${isCurrent ? "current" : ""} ${mark === null ? "" : "suspect"}`} data-line={number}>
        <button type="button" class="number" title={about} tabIndex={-1} onClick={() => onAsk(number, null)}>
          <span class="count">{count === null ? "" : count > 0 ? shortCount(count) : "-"}</span> {number}
          <span class="unseen"> {about}</span>
        </button>
        <code>{coloured(text, tokens)}</code>
        {mark !== null && <span class="mark">{mark}</span>}
        {values.length > 0 && (
          <span class="values">
            {values.slice(-mostValues).map((value) => (
              <ValueButton key={`${value.step} ${value.name}`} value={value} onClick={() => onValue(value)} />
            ))}
          </span>
        )}
      </div>
    </>
  );
}

function shortCount(count: number): string {
  return count < 1000
    ? `${count}`
    : count < 1_000_000
      ? `${Math.round(count / 1000)}k`
      : `${Math.round(count / 1_000_000)}M`;
}

/** The parts of a line with their colours. */
function coloured(text: string, tokens: readonly PageToken[]) {
  const parts: (string | preact.JSX.Element)[] = [];
  let at = 0;
  for (const [start, end, style] of tokens) {
    if (start > at) parts.push(visible(text.slice(at, start)));
    parts.push(
      <span key={start} class={`t-${tokenStyles[style]}`}>
        {visible(text.slice(start, end))}
      </span>,
    );
    at = end;
  }
  parts.push(visible(text.slice(at)));
  return parts;
}

/** The column, from 1, of the character that was clicked. */
function columnOf(event: MouseEvent, line: HTMLElement): number | null {
  const range =
    "caretPositionFromPoint" in document
      ? caret(document.caretPositionFromPoint(event.clientX, event.clientY))
      : (document as Document).caretRangeFromPoint(event.clientX, event.clientY);
  if (range === null || !line.contains(range.startContainer)) return null;
  let column = range.startOffset;
  for (let node: Node | null = range.startContainer; node !== null && node !== line; node = node.parentNode)
    for (let before = node.previousSibling; before !== null; before = before.previousSibling)
      column += before.textContent?.length ?? 0;
  return column + 1;
}

function caret(position: CaretPosition | null): Pick<Range, "startContainer" | "startOffset"> | null {
  return position === null ? null : { startContainer: position.offsetNode, startOffset: position.offset };
}
