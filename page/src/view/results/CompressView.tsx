import { useMemo, useState } from "preact/hooks";
import type { Explained, LoopResult } from "../../../../src/commands/explain/result.ts";
import type { PageData } from "../../../../src/render/page/pageData.ts";
import { visible } from "../../report.ts";
import { compressReportOf, type FoldedRow, foldedRows, lengthText, roundsText } from "../../results/foldedRun.ts";
import { formulaTexts } from "../../results/verification.ts";
import { Place, placeText, type ResultProps } from "../Place.tsx";
import { Evidence, Section } from "../parts.tsx";
import { Headline, Notes, Unknowns } from "./parts.tsx";

export function CompressHead({ data }: { readonly data: PageData }) {
  const report = compressReportOf(data);
  if (report === null) return null;
  return <Headline text={`${report.outcome.message}: ${lengthText(report)}`} tone="bad" />;
}

/** The folded loops with what holds in each round, and the run that remains. */
export function CompressView(props: ResultProps) {
  const report = compressReportOf(props.data);
  if (report === null) return null;
  const { folding, loops, proof } = report;
  return (
    <>
      {folding !== null && (
        <p>
          <span class="kind">{folding.target.asked ? "asked" : "the failure"}</span>{" "}
          <code>{visible(folding.target.formula)}</code>
        </p>
      )}
      <ProofText proof={proof} />
      {loops.length > 0 && (
        <Section title={loops.length === 1 ? "1 loop" : `${loops.length} loops`}>
          {loops.map((loop, i) => (
            <Loop key={i} {...props} loop={loop} />
          ))}
        </Section>
      )}
      <Steps {...props} report={report} />
      <Unknowns {...props} unknowns={report.unknowns} />
      <Notes {...props} />
    </>
  );
}

function ProofText({ proof }: { readonly proof: Explained["proof"] }) {
  const { triples, checked, checker, failures } = proof;
  if (triples === 0) return <p class="hint">No loop was folded, so there is nothing to prove.</p>;
  if (failures.length > 0)
    return <p class="hint">{`${failures.length} of ${triples} conditions were not accepted by the checker.`}</p>;
  if (!checked) return <p class="hint">The proof was not checked.</p>;
  return (
    <p>
      {visible(`All ${triples} conditions of the folded run were checked${checker === null ? "" : ` by ${checker}`}. `)}
      <Evidence kind="proved" />
    </p>
  );
}

function Loop({ loop, ...props }: ResultProps & { readonly loop: LoopResult }) {
  const { location, function: fn, invariant, inner, failure, proof, left } = loop;
  return (
    <article class="change">
      <header>
        <Place {...props} at={location} text={placeText(props.data, fn, location)} /> {roundsText(loop)}
      </header>
      <Formulas title="in each round" texts={formulaTexts(invariant)} isProved={proof.checked} />
      {inner.map((each, i) => (
        <div key={i}>
          <Place {...props} at={each.location} text={placeText(props.data, "inside, ", each.location)} />
          <Formulas title="in each round" texts={formulaTexts(each.invariant)} isProved={proof.checked} />
        </div>
      ))}
      {left !== undefined && <Formulas title="behind it" texts={formulaTexts(left)} isProved={proof.checked} />}
      {failure !== null && (
        <>
          <p>{visible(failure.reason)}</p>
          {failure.best !== null && (
            <Formulas title="the best that was kept" texts={formulaTexts(failure.best.invariant)} isProved={false} />
          )}
        </>
      )}
    </article>
  );
}

function Formulas({
  title,
  texts,
  isProved,
}: {
  readonly title: string;
  readonly texts: readonly string[];
  readonly isProved: boolean;
}) {
  if (texts.length === 0) return null;
  return (
    <>
      <p class="kind">
        {title} {isProved && <Evidence kind="proved" />}
      </p>
      <ul class="formulas">
        {texts.map((text, i) => (
          <li key={i}>
            <code class="formula">{visible(text)}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

const mostRows = 200;

function Steps({ report, ...props }: ResultProps & { readonly report: Explained }) {
  const rows = useMemo(() => foldedRows(report), [report]);
  const [most, setMost] = useState(mostRows);
  if (rows.length === 0) return null;
  return (
    <Section title={`the folded run: ${lengthText(report)}`}>
      <ol class="plain folded">
        {rows.slice(0, most).map((row, i) => (
          <Row key={i} {...props} row={row} />
        ))}
      </ol>
      {rows.length > most && (
        <button type="button" onClick={() => setMost(most + 1000)}>
          {rows.length - most} more
        </button>
      )}
    </Section>
  );
}

function Row({ row, ...props }: ResultProps & { readonly row: FoldedRow }) {
  const { location, step, depth, text, value, always, left } = row;
  const { client, page } = props;
  const recorded = client === null ? -1 : step - 1 - client.head.first;
  return (
    <>
      {left > 0 && <li class="empty">{`${left.toLocaleString("en-US")} steps are not listed`}</li>}
      <li class={always === null ? "" : "fold"}>
        {recorded >= 0 ? (
          <button type="button" class="place" onClick={() => page.actions.goTo(recorded)}>
            {location.line}
          </button>
        ) : (
          <Place {...props} at={location} text={`${location.line}`} />
        )}
        <code>{visible(`${"  ".repeat(Math.min(depth, 8))}${text}`)}</code>
        {value !== "" && <span class="value plain-value">{visible(value)}</span>}
        {always?.map((formula, i) => (
          <code key={i} class="always">
            {visible(formula)}
          </code>
        ))}
      </li>
    </>
  );
}
