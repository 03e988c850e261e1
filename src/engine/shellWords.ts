/** Words as a POSIX shell reads them. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
