export type Store = { read(article: string): Promise<number> };

/** How many parcels an order takes, with what is in stock. */
export async function parcels(store: Store, article: string, wanted: number): Promise<number> {
  const available = await store.read(article);
  const sent = Math.min(wanted, available);
  return packed(sent, 4);
}

function packed(count: number, size: number): number {
  const full = Math.floor(count / size);
  return count % size === 1 ? full + 1 : full;
}
