/** Free from 50 on; heavy parcels cost extra for every started kilogram above 5. */
export function shippingCost(total: number, weight: number): number {
  if (total > 50) return 0;
  let cost = 4;
  for (let kilogram = 5; kilogram < weight; kilogram++) cost += 2;
  return cost;
}
