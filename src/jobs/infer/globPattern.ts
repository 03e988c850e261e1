/** Two stars stand for any folders, one star and a question mark for part of a name. */
export function globPattern(glob: string): RegExp {
  const escaped = glob.replace(/^\.\//, "").replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const pattern = escaped.replace(/\*\*\/|\*\*|\*|\?/g, (found) => {
    if (found === "**/") return "(?:.*/)?";
    if (found === "**") return ".*";
    return found === "*" ? "[^/]*" : "[^/]";
  });
  return new RegExp(`^${pattern}$`);
}
