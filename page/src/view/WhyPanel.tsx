import { useMemo } from "preact/hooks";
import type { Explained, Explanation } from "../../../src/commands/explain/result.ts";
import type { OutputDifference } from "../../../src/commands/run/result.ts";
import { effectText, mostMarks, screenOf, suspectMark } from "../../../src/render/chooseRows.ts";
import type { Client } from "../client.ts";
import { type ShownPage, useAnswer } from "../pageState.ts";
import { visible } from "../report.ts";
import { Evidence, Section } from "./parts.tsx";
import { goToStep, ReportRow, StepNode, StepText } from "./WhyTree.tsx";

/** The explanation as the terminal shows it, and below each row its reasons. */
export function WhyPanel({
  explanation,
  client,
  page,
}: {
  readonly explanation: Explanation | null;
  readonly client: Client | null;
  readonly page: ShownPage;
}) {
  const { state } = page;
  return (
    <div class="why">
      {state.skipped !== null && client !== null && (
        <WhyNotAnswer client={client} page={page} line={state.skipped.line} file={state.skipped.file} />
      )}
      {client !== null && (
        <label class="skip">
          <input
            type="checkbox"
            checked={state.skipsCopies}
            onChange={() => page.actions.skipCopies(!state.skipsCopies)}
          />{" "}
          skip copies
        </label>
      )}
      {client !== null && state.asked.map((step) => <Asked key={step} client={client} page={page} step={step} />)}
      {explanation?.kind === "explained" ? (
        <ExplainedRows explained={explanation} client={client} page={page} />
      ) : (
        <Unexplained explanation={explanation} />
      )}
    </div>
  );
}

function ExplainedRows({
  explained,
  client,
  page,
}: {
  readonly explained: Explained;
  readonly client: Client | null;
  readonly page: ShownPage;
}) {
  const screen = useMemo(() => screenOf(explained), [explained]);
  const { suspects, inputCondition } = explained;
  return (
    <>
      {screen.sections.map(({ question, rows }) => (
        <Section key={question} title={visible(question)}>
          <ul class="tree">
            {rows.map((row) => {
              const suspect = row.suspect === null ? undefined : suspects[row.suspect];
              const [best] = suspect?.whatIfs ?? [];
              const isMarked = row.suspect !== null && suspect !== undefined && row.suspect < mostMarks;
              return (
                <ReportRow
                  key={row.id}
                  client={client}
                  page={page}
                  node={row}
                  graph={explained.graph}
                  mark={isMarked && row.suspect !== null ? suspectMark(suspects, row.suspect) : null}
                  claim={!isMarked || best === undefined ? null : `${best.text} ${effectText(best)}`}
                />
              );
            })}
          </ul>
        </Section>
      ))}
      {inputCondition !== null && inputCondition.claims !== "none" && (
        <p class="claim">
          {visible(inputCondition.text)}{" "}
          <Evidence kind={inputCondition.proof.status === "checked" ? "proved" : "observed"} />
        </p>
      )}
    </>
  );
}

function Unexplained({ explanation }: { readonly explanation: Explanation | null }) {
  if (explanation === null)
    return (
      <p class="empty">Click a value in the source to ask where it came from, or a line why it was not executed.</p>
    );
  if (explanation.kind === "doesNotFail") return <p>This run does not fail. Ask about any value in the source.</p>;
  return (
    <ul>
      {explanation.unknowns.map(({ reason, help }) => (
        <li key={reason}>
          {visible(reason)} {visible(help)}
        </li>
      ))}
    </ul>
  );
}

function Asked({ client, page, step }: { readonly client: Client; readonly page: ShownPage; readonly step: number }) {
  const described = useAnswer(() => client.ask("describe", step), [client, step]);
  const flip = client.head.flips.find((each) => each.step === step);
  return (
    <section class="section asked">
      <h2>
        why this at step {step + 1 + client.head.first}
        <button type="button" class="close" aria-label="close the question" onClick={() => page.actions.closeWhy(step)}>
          ×
        </button>
      </h2>
      {flip !== undefined && (
        <p class="claim">
          with the other outcome {flipWords[flip.end]} <Evidence kind="re-run" />
        </p>
      )}
      {described === null ? (
        <p class="waiting">…</p>
      ) : (
        <ul class="tree">
          <StepNode client={client} page={page} described={described} isOpen />
        </ul>
      )}
      <Evidence kind="observed" />
    </section>
  );
}

export const flipWords = {
  passes: "the run passes",
  getsPast: "the run gets past this failure, but does not pass",
  same: "the run does not get past this failure",
} as const;

function WhyNotAnswer({
  client,
  page,
  file,
  line,
}: {
  readonly client: Client;
  readonly page: ShownPage;
  readonly file: number;
  readonly line: number;
}) {
  const { state, actions } = page;
  const answer = useAnswer(() => client.ask("whyNot", file, line, state.step), [client, file, line]);
  const described = useAnswer(answer !== null && "step" in answer ? () => client.ask("describe", answer.step) : null, [
    client,
    answer,
  ]);
  const { statements, functions } = client.head;
  return (
    <section class="section asked" aria-live="polite">
      <h2>
        why line {line} was not executed
        <button type="button" class="close" aria-label="close the question" onClick={() => actions.unpoint()}>
          ×
        </button>
      </h2>
      {answer?.kind === "noStatement" && <p>There is no statement on this line.</p>}
      {answer?.kind === "executed" && <p>It was executed {answer.times} times.</p>}
      {answer?.kind === "condition" && <p>This condition led past it:</p>}
      {answer?.kind === "left" && <p>The run left before it, here:</p>}
      {answer?.kind === "neverCalled" && (
        <>
          <p>{visible(functions[answer.function] ?? "")} was never called.</p>
          <ul class="tree">
            {answer.callers.map((caller) => {
              const statement = statements[caller];
              if (statement === undefined) return null;
              return (
                <li key={caller}>
                  <button
                    type="button"
                    class="place"
                    onClick={() => actions.askWhyNot(statement.file, statement.at[0])}
                  >
                    {visible(`${functions[statement.function]}:${statement.at[0]}`)}
                  </button>
                  <code>{visible(statement.text)}</code>
                </li>
              );
            })}
          </ul>
        </>
      )}
      {answer !== null && "step" in answer && described !== null && (
        <ul class="tree">
          <StepNode client={client} page={page} described={described} isOpen={answer.kind === "condition"} />
        </ul>
      )}
      <Evidence kind="observed" />
    </section>
  );
}

/** The line that was expected above the one that was written, with the first character that differs. */
function Difference({ stream, line, expected, found }: OutputDifference) {
  const at = firstDifference(expected ?? "", found ?? "");
  const row = (name: string, text: string | null) => (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {text === null ? (
          <i>this line is missing</i>
        ) : (
          <code>
            {visible(text.slice(0, at))}
            <mark>{visible(text.slice(at, at + 1))}</mark>
            {visible(text.slice(at + 1))}
          </code>
        )}
      </td>
    </tr>
  );
  return (
    <table class="difference">
      <caption>{visible(`line ${line} of ${stream}`)}</caption>
      <tbody>
        {row("expected", expected)}
        {row("actual", found)}
      </tbody>
    </table>
  );
}

/** The number of equal characters at the start. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

/** The failure: what is wrong, where, and the values of its condition. */
export function FailureHead({
  explanation,
  client,
  page,
}: {
  readonly explanation: Explanation;
  readonly client: Client | null;
  readonly page: ShownPage;
}) {
  const failure = explanation.kind === "doesNotFail" ? null : explanation.failure;
  const message = failure?.problem ?? failure?.message ?? explanation.outcome.message;
  const location = failure?.location ?? explanation.outcome.location;
  const difference = failure?.difference;
  const last = (client?.head.lengths[0] ?? 0) - 1;
  return (
    <div class="failure">
      <h1>{visible(message)}</h1>
      {location !== null && (
        <button
          type="button"
          class="place"
          onClick={() => (client === null ? page.actions.showPlace(location) : goToStep(client, page, last))}
        >
          {visible(`${location.file}:${location.line}`)}
        </button>
      )}
      {difference !== undefined && <Difference {...difference} />}
      {failure?.condition != null && (
        <span class="operands">
          <code>{visible(failure.condition.text)}</code>
          {failure.condition.operands.map(({ text, value }) => (
            <span key={text} class="operand">
              {visible(`${text} is ${value}`)}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

export { StepText };
