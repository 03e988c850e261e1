/** The page cannot show its data. */
export function Failed({ error }: { readonly error: unknown }) {
  return (
    <main class="failed">
      <h1>This page cannot be shown</h1>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p>It needs a browser of 2023 or later. Write the page again, or open it in another browser.</p>
    </main>
  );
}
