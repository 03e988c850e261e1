/** Control characters as text, so that what a program or a file is called cannot move a terminal's cursor. */
export function spelledOut(text: string, kept: string = "\n\t"): string {
  return text.replaceAll(/\p{Cc}/gu, (c) =>
    kept.includes(c) ? c : `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
