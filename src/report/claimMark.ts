import type { ClaimProof, InputCondition } from "../explain/explanation.ts";
import type { Paint } from "./paint.ts";

/** How far what is said of other runs can be relied on; nothing where nothing is said of them. */
export function claimMark({ claims, proof }: InputCondition, paint: Paint): string {
  if (claims === "none") return "";
  return proof.status === "checked" ? ` ${provedMark(proof, paint)}` : ` ${paint.yellow("(not checked)")}`;
}

/** The one place that prints it: nobody can who has no checked proof. */
function provedMark(_: ClaimProof & { readonly status: "checked" }, paint: Paint): string {
  return paint.green("(proved)");
}
