import { useMemo } from "preact/hooks";
import type { InferReport } from "../../../../src/commands/infer/result.ts";
import type { PageData } from "../../../../src/render/page/pageData.ts";
import { visible } from "../../report.ts";
import { contractsOf, fieldsText, inferReportOf, type ShownContract } from "../../results/contracts.ts";
import { Place, placeText, type ResultProps } from "../Place.tsx";
import { Evidence, Section } from "../parts.tsx";
import { Headline, Unknowns } from "./parts.tsx";

export function InferHead({ data }: { readonly data: PageData }) {
  const report = inferReportOf(data);
  if (report === null) return null;
  const { functions, recording, status } = report;
  const contracts = functions.length === 1 ? "1 contract" : `${functions.length} contracts`;
  const calls = recording.calls === 1 ? "1 call" : `${recording.calls} calls`;
  return <Headline text={`${contracts} from ${calls}`} tone={status === "ok" ? "good" : "open"} />;
}

/** The contracts of functions and classes, with the calls that they come from. */
export function InferView(props: ResultProps) {
  const report = inferReportOf(props.data);
  const contracts = useMemo(() => (report === null ? [] : contractsOf(report)), [report]);
  if (report === null) return null;
  return (
    <>
      <p class="hint">
        Contracts say what all recorded calls have in common. <Evidence kind="observed" />
      </p>
      {report.tests !== null && (
        <p>
          <span class="kind">tests</span> <code>{visible(report.tests.command.join(" "))}</code>
          {report.tests.exitCode !== 0 && visible(`: ended with exit code ${report.tests.exitCode}`)}
        </p>
      )}
      <Section title="functions">
        <ul class="plain">
          {contracts.map((contract, i) => (
            <li key={i}>
              <ContractOf {...props} contract={contract} />
            </li>
          ))}
        </ul>
      </Section>
      <Classes report={report} />
      <Without report={report} />
      <Unknowns {...props} unknowns={report.unknowns} />
    </>
  );
}

function ContractOf({ contract, ...props }: ResultProps & { readonly contract: ShownContract }) {
  const { place, signature, lines, evidence, examples } = contract;
  return (
    <article class="change contract">
      <header>
        <Place {...props} at={place} text={placeText(props.data, "", place)} />
        <code class="signature">{visible(signature)}</code>
      </header>
      <table class="contract-lines">
        <tbody>
          {lines.map(({ word, text, isObserved }, i) => (
            <tr key={i}>
              <th scope="row">{word}</th>
              <td>
                <code class="formula">{visible(text)}</code>
                {isObserved && <span class="kind"> in all calls, although nothing in the code needs it</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="kind">{evidence}</p>
      {examples.length > 0 && (
        <details>
          <summary>some of the calls</summary>
          <ul class="plain examples">
            {examples.map((text, i) => (
              <li key={i}>
                <code>{visible(text)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

function Classes({ report: { classes } }: { readonly report: InferReport }) {
  if (classes.length === 0) return null;
  return (
    <Section title="classes">
      {classes.map((one) => (
        <article key={`${one.file} ${one.name}`} class="change">
          <header>
            <strong>{visible(one.name)}</strong> <code>{visible(fieldsText(one))}</code>
          </header>
          <ul class="formulas">
            {one.invariants.map((text, i) => (
              <li key={i}>
                <code class="formula">{visible(text)}</code>
              </li>
            ))}
          </ul>
          <p class="kind">{`in ${one.states} recorded ${one.states === 1 ? "state" : "states"}`}</p>
        </article>
      ))}
    </Section>
  );
}

function Without({ report: { without } }: { readonly report: InferReport }) {
  if (without.length === 0) return null;
  return (
    <Section title="without a contract">
      <ul class="plain told-list">
        {without.map(({ name, file, reason }, i) => (
          <li key={i}>
            <code>{visible(name)}</code> <span class="kind">{visible(`${file}: ${reason}`)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
