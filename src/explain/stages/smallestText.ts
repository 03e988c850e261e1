import type { Cancellation } from "../../base/cancellation.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { type ByteCondition, byteConditions } from "../../search/byteConditions.ts";
import { quickTextShrink, type SmallestText, shrinkText } from "../../search/shrinkText.ts";
import type { Stage } from "../stage.ts";

type Given = {
  readonly trace: Trace;
  readonly options: { readonly shrink?: boolean; readonly cancellation?: Cancellation };
};

export type TextOfRun = SmallestText & { readonly bytes: readonly ByteCondition[] };

/** The smallest standard input and arguments that the program fails with in the same way. */
export const smallestText: Stage<Given, { readonly text: TextOfRun | null }> = {
  name: "text",
  make({ trace, options: { shrink = true, cancellation } }) {
    // A run with other inputs has a smallest run of its own.
    if (!shrink || trace.inputs.length > 0 || trace.program.watched !== undefined) return { text: null };
    const text = shrinkText(trace, { ...quickTextShrink, ...(cancellation === undefined ? {} : { cancellation }) });
    // What each byte may be is said of the text that is shown.
    return { text: text === null ? null : { ...text, bytes: byteConditions(trace, text, cancellation) } };
  },
  problems: ({ trace, text }) =>
    text !== null && text.stdin.length > trace.settings.stdin.length ? ["the smallest text is longer"] : [],
  print: ({ text }) =>
    text === null ? "none\n" : `${JSON.stringify(Buffer.from(text.stdin).toString())} ${JSON.stringify(text.args)}\n`,
};
