/** Applies the one hunk of an answer's diff to a text, as an agent does with its own tools. */
export function applyDiff(text: string, answer: string): string {
  const lines = answer.split("\n");
  const at = lines.findIndex((line) => line.startsWith("@@"));
  const first = Number(/^@@ -(\d+)/.exec(lines[at] ?? "")?.[1] ?? 0);
  if (first === 0) throw new Error("the answer has no diff");
  const body = lines.slice(at + 1).filter((line) => /^[-+ ]/.test(line));
  const of = (signs: RegExp) => body.filter((line) => signs.test(line)).map((line) => line.slice(1));
  const [before, after] = [of(/^[- ]/), of(/^[+ ]/)];
  const own = text.split("\n");
  const there = own.slice(first - 1, first - 1 + before.length);
  if (there.join("\n") !== before.join("\n")) throw new Error("the diff does not fit the file");
  return [...own.slice(0, first - 1), ...after, ...own.slice(first - 1 + before.length)].join("\n");
}
