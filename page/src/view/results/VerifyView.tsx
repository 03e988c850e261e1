import { claims } from "../../../../src/commands/verify/claims.ts";
import type { ProvedObligation, StatedVerdict, VerifyReport } from "../../../../src/commands/verify/result.ts";
import type { PageData } from "../../../../src/render/page/pageData.ts";
import { visible } from "../../report.ts";
import { inputsText } from "../../results/exploration.ts";
import {
  assumptionsOf,
  loopsOf,
  otherObligations,
  type VerifiedLoop,
  verdictText,
  verifyReportOf,
} from "../../results/verification.ts";
import { Place, placeText, type ResultProps } from "../Place.tsx";
import { Evidence, Section } from "../parts.tsx";
import { Command, Headline, Notes, Unknowns } from "./parts.tsx";

const tones = { safe: "good", unsafe: "bad", unknown: "open" } as const;

export function VerifyHead({ data }: { readonly data: PageData }) {
  const report = verifyReportOf(data);
  return report === null ? null : <Headline text={verdictText(report)} tone={tones[report.verdict]} />;
}

/** The verdict, and what it rests on: loops with their invariants, proved obligations, assumptions; or the failing run. */
export function VerifyView(props: ResultProps) {
  const report = verifyReportOf(props.data);
  if (report === null) return null;
  const loops = loopsOf(report);
  const others = otherObligations(report);
  return (
    <>
      <p class="property">
        <span class="kind">property</span> {claims[report.property]}
      </p>
      {report.certificate !== null && <CertificateText certificate={report.certificate} />}
      {report.verdict === "unsafe" && <FailingRun {...props} report={report} />}
      <Assumptions {...props} report={report} />
      {loops.length > 0 && (
        <Section title={loops.length === 1 ? "1 loop" : `${loops.length} loops`}>
          {report.certificate === null && (
            <p class="hint">What holds at these loops was found by the search. No other solver checked it.</p>
          )}
          <ul class="plain">
            {loops.map((loop, i) => (
              <li key={i}>
                <Loop {...props} loop={loop} isProved={report.certificate !== null} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {others.length > 0 && (
        <Section title="proved besides">
          <Obligations list={others} />
        </Section>
      )}
      {report.witness !== null && <Witness {...props} list={report.witness.invariants} />}
      <Unknowns {...props} unknowns={report.unknowns} />
      <Notes {...props} />
    </>
  );
}

function CertificateText({ certificate }: { readonly certificate: NonNullable<VerifyReport["certificate"]> }) {
  const { kind, depth, checkedBy, questions } = certificate;
  const by = checkedBy.length === 0 ? "" : ` by ${checkedBy.join(" and ")}`;
  const way =
    kind === "bounded"
      ? `Every run passes at most ${depth} ${depth === 1 ? "loop head" : "loop heads"}.`
      : depth > 1
        ? `By induction over ${depth} rounds.`
        : "";
  return (
    <p>
      {visible(`The certificate was checked${by}: ${questions} ${questions === 1 ? "question" : "questions"}. ${way} `)}
      <Evidence kind="proved" />
    </p>
  );
}

function FailingRun({ report, ...props }: ResultProps & { readonly report: VerifyReport }) {
  const { outcome, inputs, replay } = report;
  return (
    <Section title="the failing run">
      <p>
        {outcome?.location != null && (
          <Place
            {...props}
            at={outcome.location}
            text={placeText(props.data, outcome.function ?? "", outcome.location)}
          />
        )}
        {visible(outcome?.message ?? "")} <Evidence kind="observed" />
      </p>
      <p>
        <span class="kind">inputs</span> {visible(inputsText(inputs.map(({ value }) => value)))}
      </p>
      {replay !== null && <Command text={replay} />}
      {props.client !== null && (
        <p class="hint">
          The whole run is on this page: click a value in the source to ask where it came from.
          {props.data.explanation === undefined && " With --explain the page also says why the run fails."}
        </p>
      )}
    </Section>
  );
}

function Loop({ loop, isProved, ...props }: ResultProps & { readonly loop: VerifiedLoop; readonly isProved: boolean }) {
  const { location, function: fn, calls, texts, obligations } = loop;
  return (
    <article class="change">
      <header>
        <Place {...props} at={location} text={placeText(props.data, fn, location)} />
        {calls.length > 0 && <span class="kind">{visible(`called by ${calls.join(", ")}`)}</span>}
      </header>
      {texts.length === 0 ? (
        <p class="empty">Nothing is needed here.</p>
      ) : (
        <>
          <p class="kind">each time the run comes here {isProved && <Evidence kind="proved" />}</p>
          <ul class="formulas">
            {texts.map((text, i) => (
              <li key={i}>
                <code class="formula">{visible(text)}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      {obligations.length > 0 && <Obligations list={obligations} />}
    </article>
  );
}

function Obligations({ list }: { readonly list: readonly ProvedObligation[] }) {
  return (
    <ul class="plain obligations">
      {list.map(({ text }, i) => (
        <li key={i}>
          <Evidence kind="proved" /> {visible(text)}
        </li>
      ))}
    </ul>
  );
}

function Assumptions({ report, ...props }: ResultProps & { readonly report: VerifyReport }) {
  const assumed = assumptionsOf(report);
  if (assumed.length === 0) return null;
  return (
    <Section title="assumed">
      <p class="hint">The verdict is about runs for which this holds. It was not proved.</p>
      <ul class="plain told-list">
        {assumed.map(({ text, places }) => (
          <li key={text}>
            {visible(text)} at{" "}
            {places.map((at, i) => (
              <Place key={i} {...props} at={at} text={placeText(props.data, "", at)} />
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const statedWords = { holds: "holds", violated: "does not hold", unknown: "unknown" } as const;

/** The invariants of a witness that someone else wrote. */
function Witness({ list, ...props }: ResultProps & { readonly list: readonly StatedVerdict[] }) {
  return (
    <Section title="invariants of the witness">
      <ul class="plain told-list">
        {list.map(({ text, location, verdict, inputs }, i) => (
          <li key={i}>
            <Place {...props} at={location} text={placeText(props.data, "", location)} /> <code>{visible(text)}</code>{" "}
            {statedWords[verdict]} {verdict === "holds" && <Evidence kind="proved" />}
            {verdict === "violated" && (
              <>
                {visible(`with inputs ${inputsText(inputs)} `)}
                <Evidence kind="observed" />
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
