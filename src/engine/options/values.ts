import { TracefoldError } from "../../base/errors.ts";

export function wholeNumber(option: string, text: string): number {
  const plain = text.replaceAll("_", "");
  if (/^\d+$/.test(plain) && Number.isSafeInteger(Number(plain))) return Number(plain);
  if (/^\d+e\d+$/.test(plain) && Number.isSafeInteger(Number(plain))) return Number(plain);
  throw usageError(`${option} needs a whole number, not "${text}"`);
}

export function seconds(option: string, text: string): number {
  if (/^(\d+\.?\d*|\.\d+)$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`${option} needs a number of seconds, not "${text}"`);
}

export function usageError(message: string): TracefoldError {
  return new TracefoldError({ code: "TF130", message, help: "tracefold COMMAND --help lists the options." });
}
