import { useState } from "preact/hooks";
import type { WhyGraph, WhyNode } from "../../../src/commands/explain/result.ts";
import type { DescribedStep } from "../../../src/recording/reasons.ts";
import type { Client } from "../client.ts";
import type { ShownPage } from "../pageState.ts";
import { useAnswer } from "../pageState.ts";
import type { DescribedReason } from "../questions.ts";
import { causesOf, visible } from "../report.ts";
import { Evidence, ValueButton, valueWords } from "./parts.tsx";
import { point } from "./SourceView.tsx";

type Shared = { readonly client: Client; readonly page: ShownPage };

/** A step and, when it is opened, its reasons. */
export function StepNode({
  client,
  page,
  described,
  isOpen: startsOpen = false,
}: Shared & { readonly described: DescribedStep; readonly isOpen?: boolean }) {
  const [isOpen, setOpen] = useState(startsOpen);
  const { step } = described;
  return (
    <li class="step">
      <div class="row">
        <Opener isOpen={isOpen} onClick={() => setOpen(!isOpen)} />
        <StepText client={client} page={page} described={described} />
      </div>
      {isOpen && (
        <div class="reasons">
          <Reasons client={client} page={page} step={step} />
        </div>
      )}
    </li>
  );
}

export function Opener({ isOpen, onClick }: { readonly isOpen: boolean; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      class="opener"
      aria-expanded={isOpen}
      aria-label={isOpen ? "hide the reasons" : "show the reasons"}
      onClick={onClick}
    >
      {isOpen ? "▾" : "▸"}
    </button>
  );
}

/** The place, the statement and its values; a click goes there. */
export function StepText({ client, page, described }: Shared & { readonly described: DescribedStep }) {
  const { statements, files, functions } = client.head;
  const statement = statements[described.statement];
  const { step } = described;
  const isHere = page.look?.moment.step === step;
  const place = statement === undefined ? "" : `${functions[statement.function]}:${statement.at[0]}`;
  return (
    <span class={`told ${isHere ? "here" : ""}`}>
      <button
        type="button"
        class="place"
        title={`${files[statement?.file ?? -1] ?? ""}: step ${step + 1 + client.head.first}`}
        onClick={() => goToStep(client, page, step)}
      >
        {visible(place)}
      </button>
      <code>{visible(statement?.text ?? "")}</code>
      <span class="values">
        {described.wrote.slice(0, 4).map((value) => (
          <ValueButton key={`${value.step} ${value.name}`} value={value} onClick={() => point(client, page, value)} />
        ))}
      </span>
    </span>
  );
}

export async function goToStep(client: Client, { actions }: ShownPage, step: number): Promise<void> {
  actions.goTo(await client.ask("end", step));
}

const kindWords: Readonly<Record<DescribedReason["kind"], string>> = {
  data: "because",
  identity: "which one",
  omission: "not written, because",
  control: "came here, because",
  call: "called by",
};

function Reasons({ client, page, step }: Shared & { readonly step: number }) {
  const answer = useAnswer(() => client.ask("why", step, true), [client, step]);
  if (answer === null) return <p class="waiting">…</p>;
  const reasons = nearestFirst(answer.reasons);
  if (reasons.length === 0) return <p class="empty">It depends on nothing else: constants, or where the run begins.</p>;
  return (
    <ul class="tree">
      {reasons.map((reason, i) => (
        <ReasonNode key={`${reason.step} ${reason.kind} ${i}`} client={client} page={page} reason={reason} />
      ))}
    </ul>
  );
}

/**
 * Which function was called, and what was there from the start, is seldom the question: it comes last. That `&a` is the
 * address of `a` is nobody's question.
 */
function nearestFirst(all: readonly DescribedReason[]): readonly DescribedReason[] {
  const reasons = all.filter(({ kind, name, value, step }) => kind !== "identity" || step >= 0 || name !== value);
  const isLast = ({ value, step }: DescribedReason) => step < 0 || /^function\b/.test(value);
  return [...reasons.filter((reason) => !isLast(reason)), ...reasons.filter(isLast)];
}

function ReasonNode({ client, page, reason }: Shared & { readonly reason: DescribedReason }) {
  const { skipsCopies: skips } = page.state;
  const origin = useAnswer(
    skips && reason.step >= 0 && reason.kind === "data"
      ? async () => client.ask("describe", await client.ask("skip", reason.step))
      : null,
    [client, reason, skips],
  );
  const described = skips ? (origin ?? reason.described) : reason.described;
  const value =
    reason.name === "" && reason.value === ""
      ? null
      : valueWords({ kind: "read", name: reason.name, value: reason.value });
  return (
    <li class="reason">
      <span class={`kind ${reason.kind}`}>
        {kindWords[reason.kind]}
        {value === null ? "" : ` ${value}`}
      </span>
      {described === null ? (
        <p class="empty">
          {reason.step === -2
            ? "written before the recorded part of the run"
            : "there from the start: an argument, a literal, a zero"}
        </p>
      ) : (
        <ul class="tree">
          <StepNode client={client} page={page} described={described} key={described.step} />
        </ul>
      )}
    </li>
  );
}

/** A row of the explanation: a node of the report, with the reasons of its step. */
export function ReportRow({
  client,
  page,
  node,
  graph,
  mark,
  claim,
}: {
  readonly client: Client | null;
  readonly page: ShownPage;
  readonly node: WhyNode;
  readonly graph: WhyGraph;
  readonly mark: string | null;
  /** What a change here would do. */
  readonly claim: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const step = useAnswer(client === null ? null : () => client.ask("stepOfNode", node.steps), [client, node]);
  const values = [
    ...node.tests.map(({ text }) => text),
    ...node.values.map(({ role, text, value, was }) =>
      role === "returned"
        ? `returns ${value}`
        : `${text} ${role === "written" ? "=" : "is"} ${value}${was === undefined ? "" : `, was ${was}`}`,
    ),
    ...(node.remarks ?? []),
  ];
  const go = () => {
    if (client === null) page.actions.showPlace(node.location);
    else if (step !== null) goToStep(client, page, step);
  };
  return (
    <li class={`step ${mark === null ? "" : "suspect"}`}>
      <div class="row">
        {(client === null || step !== null) && <Opener isOpen={isOpen} onClick={() => setOpen(!isOpen)} />}
        <span class={`told ${page.look?.moment.step === step ? "here" : ""}`}>
          <button type="button" class="place" onClick={go} disabled={client !== null && step === null}>
            {visible(`${node.function}:${node.location.line}`)}
          </button>
          <code>{visible(node.text)}</code>
          <span class="values plain">{visible(values.join(", "))}</span>
          {mark !== null && <span class="mark">{mark}</span>}
          <Evidence kind={node.evidence} />
        </span>
      </div>
      {claim !== null && (
        <p class="claim">
          {visible(claim)} <Evidence kind="re-run" />
        </p>
      )}
      {isOpen && client !== null && step !== null && (
        <div class="reasons">
          <Reasons client={client} page={page} step={step} />
        </div>
      )}
      {isOpen && client === null && <GraphReasons page={page} node={node} graph={graph} />}
    </li>
  );
}

/** The reasons that the report has, on a page without a recording. */
function GraphReasons({
  page,
  node,
  graph,
}: {
  readonly page: ShownPage;
  readonly node: WhyNode;
  readonly graph: WhyGraph;
}) {
  const causes = causesOf(graph, node.id);
  if (causes.length === 0) return <p class="reasons empty">The report has no reasons of it.</p>;
  return (
    <ul class="tree reasons">
      {causes.map(({ kind, node: cause }) => (
        <li key={`${kind} ${cause.id}`}>
          <span class="kind">{kindWords[kind]}</span>
          <ul class="tree">
            <ReportRow client={null} page={page} node={cause} graph={graph} mark={null} claim={null} />
          </ul>
        </li>
      ))}
    </ul>
  );
}
