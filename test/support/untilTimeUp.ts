/**
 * The result of a command whose time is up in the middle of its work: on a busy machine the program is not even loaded after
 * one second, so the time is doubled until it is.
 */
export function untilTimeUp<T extends { readonly stderr: string }>(command: (seconds: string) => T, first = 0.5): T {
  for (let seconds = first; ; seconds *= 2) {
    const result = command(`${seconds}`);
    if (!result.stderr.includes("while loading") || seconds > 30) return result;
  }
}
