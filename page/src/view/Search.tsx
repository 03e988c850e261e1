import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Client } from "../client.ts";
import { type ShownPage, useAnswer } from "../pageState.ts";
import { visible } from "../report.ts";

/** Finds statements by their text. */
export function Search({
  client,
  page,
  onClose,
}: {
  readonly client: Client;
  readonly page: ShownPage;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const found = useAnswer(text.trim() === "" ? null : () => client.ask("search", text.trim()), [client, text]);
  const { statements, functions } = client.head;
  // At once: what is typed behind the key that opened the field belongs into it.
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <search class="search">
      <input
        ref={input}
        type="search"
        placeholder="a part of a statement, or file:line"
        aria-label="search the source"
        value={text}
        onInput={(event) => setText((event.currentTarget as HTMLInputElement).value)}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      />
      {found !== null && (
        <ul class="plain found" aria-live="polite">
          {found.length === 0 && <li class="empty">nothing was found</li>}
          {found.map(({ statement, step, times }) => {
            const own = statements[statement];
            if (own === undefined) return null;
            return (
              <li key={statement}>
                <button
                  type="button"
                  onClick={() => {
                    if (step === null) page.actions.askWhyNot(own.file, own.at[0]);
                    else page.actions.goTo(step);
                    onClose();
                  }}
                >
                  <span class="place">{visible(`${functions[own.function]}:${own.at[0]}`)}</span>{" "}
                  <code>{visible(own.text)}</code>{" "}
                  <span class="count">{times === 0 ? "not executed" : `${times}x`}</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </search>
  );
}
