import { useEffect } from "preact/hooks";
import type { Direction } from "../../src/recording/navigate.ts";
import type { Client } from "./client.ts";
import type { Panel, ShownPage } from "./pageState.ts";

type KeyActions = {
  readonly search: () => void;
  readonly help: () => void;
  readonly theme: () => void;
  readonly close: () => void;
};

const directions: Readonly<Record<string, Direction>> = {
  n: "into",
  ArrowRight: "into",
  p: "back",
  ArrowLeft: "back",
  o: "over",
  O: "overBack",
  u: "out",
  U: "outBack",
};

/** True for letters in a field of text, and for keys that move a slider. */
function isOfField({ type }: HTMLInputElement, key: string): boolean {
  if (type === "range") return key.startsWith("Arrow") || key.startsWith("Page") || key === "Home" || key === "End";
  return type !== "checkbox";
}

/** Keys work everywhere but in fields, where letters are text. */
export function useKeys(client: Client | null, page: ShownPage, panels: readonly Panel[], more: KeyActions): void {
  useEffect(() => {
    const press = async (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof HTMLInputElement && isOfField(target, key)) return;
      if (key === "Escape") return more.close();
      const simple = { "?": more.help, "/": more.search, d: more.theme }[key];
      if (simple !== undefined) {
        event.preventDefault();
        return simple();
      }
      const panel = panels[Number(key) - 1];
      if (panel !== undefined) return page.actions.showPanel(panel);
      if (client === null) return;
      const { state, actions } = page;
      const direction = directions[key];
      if (direction !== undefined) {
        event.preventDefault();
        return actions.goTo(await client.ask("go", state.step, direction));
      }
      if (key === "w") return actions.askWhy(state.step);
      if (key === "Home") return actions.goTo(0);
      if (key === "End") return actions.goTo(client.head.lengths[0] - 1);
      const write = { b: "previousWrite", f: "nextWrite" }[key] as "previousWrite" | "nextWrite" | undefined;
      if (write === undefined || state.pointed === null || state.pointed.cell === 0) return;
      const step = await client.ask(write, state.pointed.cell, state.step);
      if (step !== null) actions.goTo(step);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
