import { render } from "preact";
import { connect } from "./client.ts";
import { readPage } from "./readPage.ts";
import "./styles.css";
import { App } from "./view/App.tsx";
import { Failed } from "./view/Failed.tsx";
import { serve } from "./worker.ts";

// The worker runs the same script: a page is one file.
if (typeof document === "undefined") serve();
else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
else show();

async function show(): Promise<void> {
  const root = document.getElementById("app");
  if (root === null) return;
  try {
    const { data, recording } = await readPage();
    const client = connect(data.recording, recording);
    render(<App data={data} client={client} />, root);
  } catch (error) {
    render(<Failed error={error} />, root);
  }
}
