import { type BackendChoice, findExecutable } from "../../solver/backend/backends.ts";

/** Who checks what a solver found: another one where there is one; the embedded Z3 is of another version than a native one. */
export function checkingBackends(searcher: BackendChoice): readonly BackendChoice[] {
  const hasCvc5 = findExecutable("cvc5") !== null;
  const hasZ3 = findExecutable("z3") !== null;
  const searches = searcher === "auto" ? (hasZ3 ? "z3" : "wasm") : searcher;
  const others: BackendChoice[] = [];
  if (hasCvc5 && searches !== "cvc5") others.push("cvc5");
  if (hasZ3 && searches !== "z3") others.push("z3");
  if (searches !== "wasm") others.push("wasm");
  return others.length === 0 ? ["wasm"] : others;
}
