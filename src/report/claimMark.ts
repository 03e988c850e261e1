import type { InputCondition } from "../explain/explanation.ts";
import type { Paint } from "./paint.ts";

/** How far what is said of other runs can be relied on; nothing where nothing is said of them. */
export function claimMark({ claims, proved }: InputCondition, paint: Paint): string {
  if (claims === "none") return "";
  return proved ? ` ${paint.green("(proved)")}` : ` ${paint.yellow("(not checked)")}`;
}
