import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { Client } from "./client.ts";
import type { Look, PointedValue } from "./questions.ts";

/** The panels on the right. */
export const panels = ["result", "why", "values", "changes", "report"] as const;
export type Panel = (typeof panels)[number];

/** What the page shows now. */
export type PageState = {
  readonly step: number;
  /** The tab of the source. */
  readonly file: number;
  readonly panel: Panel;
  /** The value that was asked about last. */
  readonly pointed: PointedValue | null;
  /** The steps that were asked about, newest first. */
  readonly asked: readonly number[];
  /** A line that was gone to although no step is there; null for none. */
  readonly line: SourceLine | null;
  /** The line that was asked "why not"; null for none. */
  readonly skipped: SourceLine | null;
  /** True if reasons lead past statements that only hand a value on. */
  readonly skipsCopies: boolean;
};

/** `file` is the index of its tab. */
export type SourceLine = { readonly file: number; readonly line: number };

export type PageActions = {
  goTo(step: number): void;
  showFile(file: number): void;
  /** Shows a line at which the recording has no step. */
  showPlace(at: { readonly file: string; readonly line: number }): void;
  showPanel(panel: Panel): void;
  /** Shows the history and readers of a value. */
  point(value: PointedValue): void;
  /** Asks why a step happened as it did. */
  askWhy(step: number): void;
  closeWhy(step: number): void;
  askWhyNot(file: number, line: number): void;
  unpoint(): void;
  skipCopies(skips: boolean): void;
};

export type ShownPage = { readonly state: PageState; readonly actions: PageActions; readonly look: Look | null };

/** A link can point at a moment and a question: `#step=12&why=12`. Steps count from 1 as in print. */
export function readLink(hash: string): Partial<Pick<PageState, "step" | "asked" | "panel">> {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name: string) => {
    const value = Number(words.get(name) ?? Number.NaN);
    return Number.isSafeInteger(value) && value > 0 ? value - 1 : null;
  };
  const [step, why] = [number("step"), number("why")];
  const panel = panels.find((each) => each === words.get("panel"));
  return {
    ...(step === null ? {} : { step }),
    ...(why === null ? {} : { asked: [why] }),
    ...(panel === undefined ? {} : { panel }),
  };
}

export function linkTo({ step, asked, panel }: PageState): string {
  const [why] = asked;
  return `#step=${step + 1}${why === undefined ? "" : `&why=${why + 1}`}${panel === "why" ? "" : `&panel=${panel}`}`;
}

/** `files`: the paths of the tabs. */
export function usePageState(client: Client | null, files: readonly string[], start: PageState): ShownPage {
  const [state, setState] = useState<PageState>(start);
  const [look, setLook] = useState<Look | null>(null);
  const change = useCallback((part: Partial<PageState>) => setState((old) => ({ ...old, ...part })), []);

  useEffect(() => {
    if (client === null) return;
    let isCurrent = true;
    const { statements } = client.head;
    client.ask("look", state.step).then((found) => {
      if (!isCurrent) return;
      setLook(found);
      const file = statements[found.moment.statement]?.file;
      if (file !== undefined) change({ file });
    });
    return () => {
      isCurrent = false;
    };
  }, [client, state.step, change]);

  useEffect(() => {
    if (client !== null) history.replaceState(null, "", linkTo(state));
  }, [client, state]);

  useEffect(() => {
    const follow = () => change(readLink(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [change]);

  const actions = useMemo<PageActions>(() => {
    const last = (client?.head.lengths[0] ?? 1) - 1;
    const clamp = (step: number) => Math.max(0, Math.min(step, last));
    return {
      goTo: (step) => change({ step: clamp(step), skipped: null, line: null }),
      showFile: (file) => change({ file }),
      showPlace: ({ file: path, line }) => {
        const file = files.indexOf(path);
        if (file >= 0) change({ line: { file, line }, file });
      },
      showPanel: (panel) => change({ panel }),
      point: (pointed) => change({ pointed, panel: "values", skipped: null }),
      askWhy: (step) =>
        setState((old) => ({
          ...old,
          panel: "why",
          skipped: null,
          asked: [step, ...old.asked.filter((each) => each !== step)].slice(0, mostAsked),
        })),
      closeWhy: (step) => setState((old) => ({ ...old, asked: old.asked.filter((each) => each !== step) })),
      askWhyNot: (file, line) => change({ skipped: { file, line }, panel: "why" }),
      skipCopies: (skipsCopies) => change({ skipsCopies }),
      unpoint: () => change({ pointed: null, skipped: null }),
    };
  }, [client, files, change]);
  return { state, actions, look };
}

const mostAsked = 8;

/** The answer to a question that depends on the state; null until it is there. */
export function useAnswer<T>(ask: (() => Promise<T>) | null, keys: readonly unknown[]): T | null {
  const [answer, setAnswer] = useState<T | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setAnswer(null);
    ask?.().then((found) => {
      if (isCurrent) setAnswer(found);
    });
    return () => {
      isCurrent = false;
    };
  }, keys);
  return answer;
}
