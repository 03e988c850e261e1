/**
 * Names that are made for unknowns. No place of a program has one of these two marks in its name, so that an unknown is
 * never taken for a place; the marks are known here and nowhere else.
 */
export function freshName(prefix: string, count: number): string {
  return `${prefix}!${count}`;
}

export function taggedName(name: string, tag: number): string {
  return `${name}~${tag}`;
}

/** For names that come as text, such as those in a proof that was stored; a variable says it itself (`Variable.madeUp`). */
export function isMadeUpName(name: string): boolean {
  return /[!~]/.test(name);
}
