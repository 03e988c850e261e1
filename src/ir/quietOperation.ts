import type { Operation } from "./operation.ts";

/** Operations that only keep a model's books: no change of the source would change them, so no trial does. */
const quiet = new WeakSet<Operation>();

export function quietly<T extends Operation>(operation: T): T {
  quiet.add(operation);
  return operation;
}

export function isQuiet(operation: Operation): boolean {
  return quiet.has(operation);
}
