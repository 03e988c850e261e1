export type Line = { readonly article: string; readonly price: number; readonly count: number };
export type Invoice = { readonly net: number; readonly tax: number; readonly gross: number };

const taxRates: Record<string, number> = { book: 7, pen: 19, ink: 17 };

function taxOf({ article, price, count }: Line): number {
  const rate = taxRates[article] ?? 19;
  return (price * count * rate) / 100;
}

export function invoice(lines: readonly Line[]): Invoice {
  const net = lines.reduce((sum, line) => sum + line.price * line.count, 0);
  const tax = lines.map(taxOf).reduce((sum, each) => sum + each, 0);
  return { net, tax, gross: net + tax };
}
