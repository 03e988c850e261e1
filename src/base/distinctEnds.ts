/** The shortest end of each path, of whole names, that no other path has: `util.c`, or `a/util.c` beside `b/util.c`. */
export function distinctEnds(paths: readonly string[]): string[] {
  return paths.map((path) => {
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++) {
      const end = parts.slice(-count).join("/");
      if (paths.every((other) => other === path || !`/${other}`.endsWith(`/${end}`))) return end;
    }
    return path;
  });
}
