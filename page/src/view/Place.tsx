import type { PageData } from "../../../src/render/page/pageData.ts";
import type { Client } from "../client.ts";
import type { ShownPage } from "../pageState.ts";
import { visible } from "../report.ts";

/** What views of results are given. */
export type ResultProps = { readonly data: PageData; readonly client: Client | null; readonly page: ShownPage };

type SourcePlace = { readonly file: string; readonly line: number };

/** A place in the source; a click goes to its nearest execution, or shows the line. */
export function Place({
  client,
  page,
  at,
  text = `${at.file}:${at.line}`,
}: ResultProps & { readonly at: SourcePlace; readonly text?: string }) {
  return (
    <button
      type="button"
      class="place"
      title={visible(`${at.file}:${at.line}`)}
      onClick={() => goToPlace({ client, page }, at)}
    >
      {visible(text)}
    </button>
  );
}

async function goToPlace({ client, page }: Omit<ResultProps, "data">, at: SourcePlace): Promise<void> {
  const file = client?.head.files.indexOf(at.file) ?? -1;
  const step = client === null || file < 0 ? null : await client.ask("onLine", file, at.line, page.state.step);
  if (step === null) page.actions.showPlace(at);
  else page.actions.goTo(step);
}

/** `main:12`, with the file if there are several. */
export function placeText(data: PageData, name: string, { file, line }: SourcePlace): string {
  return `${data.files.length > 1 ? `${file} ` : ""}${name === "" ? "line " : `${name}:`}${line}`;
}
