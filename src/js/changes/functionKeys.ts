/** Numbers for functions: a hash of the path, and the offset in the file. Longer files are left alone. */
export const mostText = 2 ** 21;

export function hashOf(path: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < path.length; i++) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

export function keyOf(hash: number, start: number): number {
  return hash * mostText + start;
}

export function functionOf(key: number): { readonly hash: number; readonly start: number } {
  return { hash: Math.floor(key / mostText), start: key % mostText };
}
