import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageData } from "../../../src/render/page/pageData.ts";
import type { Client } from "../client.ts";
import { useKeys } from "../keys.ts";
import { notesOf } from "../lineNotes.ts";
import { type Panel, panels, readLink, usePageState } from "../pageState.ts";
import { explainedOf, explanationOf, marksOf } from "../report.ts";
import { useTheme } from "../theme.ts";
import { ChangesPanel } from "./ChangesPanel.tsx";
import { Help } from "./Help.tsx";
import { scrollable } from "./parts.tsx";
import { ReportHead, ReportPanel } from "./ReportPanel.tsx";
import { resultViewOf } from "./results/resultViews.ts";
import { Search } from "./Search.tsx";
import { moveFocus, SourceView } from "./SourceView.tsx";
import { TimeStrip } from "./TimeStrip.tsx";
import { ValuesPanel } from "./ValuesPanel.tsx";
import { FailureHead, WhyPanel } from "./WhyPanel.tsx";

/** The whole page: the failure, the run as a strip, the source, and the panels. */
export function App({ data, client }: { readonly data: PageData; readonly client: Client | null }) {
  const explanation = useMemo(() => explanationOf(data), [data]);
  const explained = useMemo(() => explainedOf(data), [data]);
  const marks = useMemo(() => marksOf(explained), [explained]);
  const notes = useMemo(() => notesOf(data), [data]);
  const result = resultViewOf(data);
  const last = Math.max(0, (client?.head.lengths[0] ?? 1) - 1);
  const files = useMemo(() => client?.head.files ?? data.files.map(({ path }) => path), [client, data]);
  const page = usePageState(client, files, {
    step: last,
    file: 0,
    panel: result === null ? "why" : "result",
    line: null,
    pointed: null,
    asked: [],
    skipped: null,
    skipsCopies: false,
    ...readLink(location.hash),
  });
  const { state, actions } = page;
  const [isSearching, setSearching] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const theme = useTheme();
  const isThere: Readonly<Record<Panel, boolean>> = {
    result: result !== null,
    why: explanation !== null || client !== null,
    values: client !== null,
    changes: explained !== null,
    report: true,
  };
  const shown = panels.filter((panel) => isThere[panel]);
  const panel = shown.includes(state.panel) ? state.panel : (shown[0] ?? "report");
  useKeys(client, page, shown, {
    search: () => setSearching(true),
    help: () => setHelping(true),
    theme: theme.toggle,
    close: () => {
      setSearching(false);
      actions.unpoint();
    },
  });
  // A table of tasks has no source of its own.
  const isTable = client === null && data.files.length === 0 && result !== null;
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isAsked = state.pointed !== null || state.asked.length > 0 || state.skipped !== null;
    // In a narrow window the panels are below the source.
    const top = side.current?.getBoundingClientRect().top ?? 0;
    if (isAsked && top > innerHeight * 0.75) side.current?.scrollIntoView();
  }, [state.pointed, state.asked, state.skipped]);
  useFirstSuspect(client, page.actions.goTo, (explained !== null || result !== null) && location.hash === "");
  return (
    <>
      <header class="top">
        {result !== null ? (
          <result.Head data={data} />
        ) : explanation !== null ? (
          <FailureHead explanation={explanation} client={client} page={page} />
        ) : (
          <ReportHead data={data} />
        )}
        <nav class="tools" aria-label="tools">
          {client !== null && (
            <button type="button" onClick={() => setSearching(!isSearching)} aria-expanded={isSearching}>
              search <kbd>/</kbd>
            </button>
          )}
          <button type="button" onClick={theme.toggle}>
            {theme.isDark ? "light" : "dark"}
          </button>
          <button type="button" onClick={() => setHelping(true)}>
            keys <kbd>?</kbd>
          </button>
        </nav>
        {isSearching && client !== null && <Search client={client} page={page} onClose={() => setSearching(false)} />}
      </header>
      {client !== null && <TimeStrip client={client} page={page} />}
      <main class={isTable ? "columns single" : "columns"}>
        {!isTable && <SourceView data={data} client={client} page={page} marks={marks} notes={notes} />}
        <div class="side" ref={side}>
          <div class="tabs" role="tablist" aria-label="panels">
            {shown.map((each, i) => (
              <button
                type="button"
                key={each}
                role="tab"
                id={`tab-${each}`}
                aria-selected={each === panel}
                aria-controls="panel"
                tabIndex={each === panel ? 0 : -1}
                onClick={() => actions.showPanel(each)}
                onKeyDown={moveFocus}
              >
                {each === "result" ? result?.label : each} <kbd>{i + 1}</kbd>
              </button>
            ))}
          </div>
          <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${panel}`} {...scrollable}>
            {panel === "result" && result !== null && <result.Panel data={data} client={client} page={page} />}
            {panel === "why" && <WhyPanel explanation={explanation} client={client} page={page} />}
            {panel === "values" && client !== null && <ValuesPanel client={client} page={page} />}
            {panel === "changes" && explained !== null && (
              <ChangesPanel data={data} explained={explained} client={client} page={page} />
            )}
            {panel === "report" && <ReportPanel data={data} />}
          </div>
        </div>
      </main>
      {isHelping && <Help onClose={() => setHelping(false)} />}
    </>
  );
}

/** The page opens at the end of the run, where the failure is. */
function useFirstSuspect(client: Client | null, goTo: (step: number) => void, isWanted: boolean): void {
  useEffect(() => {
    if (client === null || !isWanted) return;
    client.ask("end", client.head.lengths[0] - 1).then(goTo);
  }, [client, goTo, isWanted]);
}
