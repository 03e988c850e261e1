/** What can be reached from the starts, themselves included, in the order in which it is found. */
export function reachableFrom<Item>(starts: Iterable<Item>, next: (item: Item) => Iterable<Item>): Set<Item> {
  const reached = new Set(starts);
  // Iteration over a set includes elements that are added meanwhile.
  for (const item of reached) for (const other of next(item)) reached.add(other);
  return reached;
}
