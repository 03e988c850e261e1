import type { CallDetails } from "../../../src/recording/callDetails.ts";
import type { NamedValue } from "../../../src/recording/moment.ts";
import type { Client } from "../client.ts";
import { type ShownPage, useAnswer } from "../pageState.ts";
import { visible } from "../report.ts";
import { Evidence, ValueButton } from "./parts.tsx";
import { point } from "./SourceView.tsx";
import { flipWords } from "./WhyPanel.tsx";
import { goToStep } from "./WhyTree.tsx";

type Shown = { readonly client: Client; readonly page: ShownPage; readonly step: number };

/** What a step did besides its value: the calls that it made, and what its other outcome would have done. */
export function StepDetails({ client, page, step }: Shown) {
  const calls = useAnswer(step < 0 ? null : () => client.ask("calls", step), [client, step]);
  const flip = client.head.flips.find((each) => each.step === step);
  return (
    <>
      {flip !== undefined && (
        <p class="claim">
          with the other outcome {flipWords[flip.end]} <Evidence kind="re-run" />
        </p>
      )}
      {calls?.map((call) => (
        <Call key={call.first} client={client} page={page} call={call} />
      ))}
    </>
  );
}

function Call({ client, page, call }: Omit<Shown, "step"> & { readonly call: CallDetails }) {
  return (
    <article class="change">
      <h3>call of {visible(call.function)}</h3>
      <Values client={client} page={page} title="arguments" values={call.arguments} />
      {call.result !== null && <Values client={client} page={page} title="returned" values={[call.result]} />}
      <Values client={client} page={page} title="changed" values={call.effects} />
      {call.left > 0 && <p class="empty">{call.left} more changes</p>}
      <div class="actions">
        <button type="button" onClick={() => goToStep(client, page, call.first)}>
          go to its start
        </button>
        <button type="button" onClick={() => goToStep(client, page, call.last)}>
          go to its end
        </button>
      </div>
    </article>
  );
}

function Values({
  client,
  page,
  title,
  values,
}: Omit<Shown, "step"> & { readonly title: string; readonly values: readonly NamedValue[] }) {
  if (values.length === 0) return null;
  return (
    <p class="told">
      <span class="kind">{title}</span>
      {values.map(({ name, value, step }) => (
        <ValueButton
          key={`${step} ${name}`}
          value={{ kind: title === "changed" ? "written" : "read", name, value }}
          onClick={() => point(client, page, { step })}
        />
      ))}
    </p>
  );
}
