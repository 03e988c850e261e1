import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { MomentValue } from "../../../src/recording/moment.ts";
import { visible } from "../report.ts";

const meanings = {
  proved:
    "A solver which took no part in the search checked this: it holds for all runs that the explanation speaks of.",
  "re-run": "The program was run again with this change. What is said about it is what that run did.",
  observed: "This happened in the recorded run. Nothing is said about other runs.",
} as const;

export type EvidenceKind = keyof typeof meanings;

/** How a claim is known; a click says what that means. */
export function Evidence({ kind }: { readonly kind: EvidenceKind }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <span class="evidence">
      <button type="button" class={`badge ${kind}`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {kind}
      </button>
      {isOpen && <span class="meaning">{meanings[kind]}</span>}
    </span>
  );
}

/** A value that can be asked about. */
export function ValueButton({
  value,
  onClick,
  label,
}: {
  readonly value: Pick<MomentValue, "kind" | "name" | "value">;
  readonly onClick: () => void;
  readonly label?: string;
}) {
  return (
    <button type="button" class={`value ${value.kind}`} onClick={onClick} title={label ?? "ask about this value"}>
      {valueWords(value)}
    </button>
  );
}

export function valueWords({ kind, name, value }: Pick<MomentValue, "kind" | "name" | "value">): string {
  if (kind === "tested")
    return value === "true" || value === "false" ? `is ${value}` : `${visible(name)} is ${visible(value)}`;
  if (kind === "returned") return `returns ${visible(value)}`;
  const operator = kind === "written" ? "=" : "is";
  return name === "" ? visible(value) : `${visible(name)} ${operator} ${visible(value)}`;
}

export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Keys scroll a region only if it can have the focus. */
export const scrollable = { tabIndex: 0 } as const;
