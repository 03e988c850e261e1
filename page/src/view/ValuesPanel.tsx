import { useEffect, useMemo, useRef } from "preact/hooks";
import type { HistoryPoint } from "../../../src/recording/history.ts";
import type { Client } from "../client.ts";
import { type ShownPage, useAnswer } from "../pageState.ts";
import type { PointedValue } from "../questions.ts";
import { visible } from "../report.ts";
import { StepDetails } from "./CallView.tsx";
import { Evidence, Section, ValueButton } from "./parts.tsx";
import { point } from "./SourceView.tsx";
import { goToStep, StepNode, StepText } from "./WhyTree.tsx";

/** The value that was pointed at, the variables at the cursor, and the active calls. */
export function ValuesPanel({ client, page }: { readonly client: Client; readonly page: ShownPage }) {
  const { look, state } = page;
  const { functions, statements } = client.head;
  return (
    <div class="values-panel">
      {state.pointed !== null && <Pointed client={client} page={page} pointed={state.pointed} />}
      <Section title={`variables of ${visible(functions[look?.moment.function ?? -1] ?? "")}`}>
        {look?.variables.length === 0 && <p class="empty">Nothing was written here yet.</p>}
        <ul class="plain">
          {look?.variables.map((value) => (
            <li key={value.name}>
              <ValueButton value={value} onClick={() => point(client, page, value)} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="calls">
        <ol class="plain">
          {look?.moment.stack.map((entry) => (
            <li key={entry.activation}>
              <button type="button" class="place" onClick={() => page.actions.goTo(entry.step)}>
                {visible(`${functions[entry.function]}:${statements[entry.statement]?.at[0] ?? "?"}`)}
              </button>
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );
}

function Pointed({
  client,
  page,
  pointed,
}: {
  readonly client: Client;
  readonly page: ShownPage;
  readonly pointed: PointedValue;
}) {
  const { actions } = page;
  const written = useAnswer(pointed.writer < 0 ? null : () => client.ask("describe", pointed.writer), [
    client,
    pointed,
  ]);
  const readers = useAnswer(pointed.writer < 0 ? null : () => client.ask("readers", pointed.writer), [client, pointed]);
  const history = useAnswer(pointed.cell === 0 ? null : () => client.ask("history", pointed.cell), [
    client,
    pointed.cell,
  ]);
  const name = pointed.name === "" ? "this value" : pointed.name;
  const jump = async (question: "previousWrite" | "nextWrite") => {
    const step = await client.ask(question, pointed.cell, page.state.step);
    if (step !== null) goToStep(client, page, step);
  };
  return (
    <section class="section pointed" aria-live="polite">
      <h2>
        {visible(pointed.value === "" ? name : `${name} is ${pointed.value}`)}
        <button type="button" class="close" aria-label="close" onClick={() => actions.unpoint()}>
          ×
        </button>
      </h2>
      <Evidence kind="observed" />
      <div class="actions">
        <button type="button" disabled={pointed.writer < 0} onClick={() => actions.askWhy(pointed.writer)}>
          why this value
        </button>
        {pointed.cell !== 0 && (
          <>
            <button type="button" onClick={() => jump("previousWrite")}>
              previous write
            </button>
            <button type="button" onClick={() => jump("nextWrite")}>
              next write
            </button>
          </>
        )}
      </div>
      <StepDetails client={client} page={page} step={pointed.step} />
      <h3>written by</h3>
      {pointed.writer < 0 ? (
        <p class="empty">
          {pointed.writer === -2 ? "a step before the recorded part of the run" : "nobody: it was there from the start"}
        </p>
      ) : (
        written !== null && (
          <ul class="tree">
            <StepNode client={client} page={page} described={written} key={pointed.writer} />
          </ul>
        )
      )}
      {history !== null && (
        <>
          <h3>
            {visible(history.name)} over time: {history.writes.toLocaleString("en-US")} value
            {history.writes === 1 ? "" : "s"}
          </h3>
          <History
            points={history.points}
            current={page.state.step}
            onChoose={(step) => goToStep(client, page, step)}
          />
        </>
      )}
      {readers !== null && (
        <>
          <h3>read next by</h3>
          {readers.length === 0 && <p class="empty">Nobody read it.</p>}
          <ul class="tree">
            {readers.slice(0, mostReaders).map((reader) => (
              <li key={reader.step} class="step">
                <div class="row">
                  <StepText client={client} page={page} described={reader.described} />
                </div>
              </li>
            ))}
          </ul>
          {readers.length > mostReaders && <p class="empty">{readers.length - mostReaders} more</p>}
        </>
      )}
    </section>
  );
}

const mostReaders = 12;
const width = 360;
const height = 80;
const mostListed = 200;

/** Numbers as a plot, other values as a list. A point leads to its moment. */
function History({
  points,
  current,
  onChoose,
}: {
  readonly points: readonly HistoryPoint[];
  readonly current: number;
  readonly onChoose: (step: number) => void;
}) {
  const plot = useRef<SVGSVGElement>(null);
  const numbers = useMemo(() => points.map(({ value }) => Number(value)), [points]);
  const isPlot = points.length > 1 && numbers.every(Number.isFinite);
  const low = isPlot ? Math.min(...numbers) : 0;
  const high = isPlot ? Math.max(...numbers) : 1;
  const from = points[0]?.step ?? 0;
  const to = points.at(-1)?.step ?? 1;
  const x = (step: number) => 4 + ((width - 8) * (step - from)) / Math.max(1, to - from);
  const y = (value: number) => height - 6 - ((height - 12) * (value - low)) / Math.max(1e-9, high - low);
  // The list has a button for each point; a click into the plot is a shorter way for the mouse.
  useEffect(() => {
    const element = plot.current;
    const choose = (event: MouseEvent) => {
      const box = element?.getBoundingClientRect() ?? { left: 0, width };
      const at = ((event.clientX - box.left) / box.width) * width;
      const nearest = points.reduce((best, each) =>
        Math.abs(x(each.step) - at) < Math.abs(x(best.step) - at) ? each : best,
      );
      onChoose(nearest.step);
    };
    element?.addEventListener("click", choose);
    return () => element?.removeEventListener("click", choose);
  });
  return (
    <div class="history">
      {isPlot && (
        <>
          <svg ref={plot} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`values from ${low} to ${high}`}>
            <polyline
              points={points
                .flatMap(({ step }, i) => [
                  ...(i === 0 ? [] : [`${x(step)},${y(numbers[i - 1] ?? 0)}`]),
                  `${x(step)},${y(numbers[i] ?? 0)}`,
                ])
                .join(" ")}
            />
            {points.length <= mostListed &&
              points.map(({ step }, i) => <circle key={step} cx={x(step)} cy={y(numbers[i] ?? 0)} r="2.5" />)}
            {current >= from && current <= to && <line x1={x(current)} x2={x(current)} y1="0" y2={height} />}
          </svg>
          <p class="range">
            <span>{low}</span> to <span>{high}</span>
          </p>
        </>
      )}
      <details open={!isPlot}>
        <summary>{isPlot ? "as a list" : "values"}</summary>
        <ol class="plain">
          {points.slice(0, mostListed).map(({ step, value }) => (
            <li key={step}>
              <button
                type="button"
                class={`value written ${step === current ? "here" : ""}`}
                onClick={() => onChoose(step)}
              >
                {visible(value === "" ? "?" : value)}
              </button>
            </li>
          ))}
        </ol>
        {points.length > mostListed && <p class="empty">{points.length - mostListed} more</p>}
      </details>
    </div>
  );
}
