import type { UnknownPart } from "../../../../src/commands/common/result.ts";
import { visible } from "../../report.ts";
import { Place, placeText, type ResultProps } from "../Place.tsx";
import { Section } from "../parts.tsx";

/** The first line of the page. */
export function Headline({ text, tone }: { readonly text: string; readonly tone: "good" | "bad" | "open" }) {
  return (
    <div class={`failure verdict ${tone}`}>
      <h1>{visible(text)}</h1>
    </div>
  );
}

/** What stayed unknown, why, and what would help. */
export function Unknowns({ unknowns, ...props }: ResultProps & { readonly unknowns: readonly UnknownPart[] }) {
  if (unknowns.length === 0) return null;
  return (
    <Section title="not known">
      <ul class="plain told-list">
        {unknowns.map(({ reason, where, help }, i) => (
          <li key={`${reason} ${i}`}>
            {where !== null && <Place {...props} at={where} text={placeText(props.data, "", where)} />}
            {visible(reason)} <span class="hint">{visible(help)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Notes(props: ResultProps) {
  const { notes = [] } = props.data.report as { readonly notes?: readonly NoteOfReport[] };
  if (notes.length === 0) return null;
  return (
    <Section title="notes">
      <ul class="plain told-list">
        {notes.map(({ message, location }, i) => (
          <li key={`${message} ${i}`}>
            <Place {...props} at={location} text={placeText(props.data, "", location)} /> {visible(message)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

type NoteOfReport = { readonly message: string; readonly location: { readonly file: string; readonly line: number } };

/** A command that runs a failing run, for copying. */
export function Command({ text }: { readonly text: string }) {
  return (
    <p class="command">
      <code class="formula">{visible(text)}</code>
    </p>
  );
}
