/** Words as a POSIX shell reads them. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** A command that prints bytes. */
export function printfCommand(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => {
    if (byte === 10) return "\\n";
    if (byte === 37) return "%%";
    if (byte === 92) return "\\\\";
    if (byte >= 32 && byte < 127) return String.fromCharCode(byte);
    return `\\${byte.toString(8).padStart(3, "0")}`;
  }).join("");
  return `printf '${text.replaceAll("'", "'\\''")}'`;
}
