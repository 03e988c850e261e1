/**
 * What programs do with files and with arrays inside of structs, as functions that their expressions call: lines that are
 * written, found again and summed up; cells of a part of an object, in `cell` also of those behind its end.
 */
export const fileFunctions: readonly string[] = [
  "static FILE *file;",
  "static int stored(long long v) {",
  "  char line[40];",
  "  int sum = 0, lines = 0;",
  "  if (!file) file = tmpfile();",
  "  if (!file) return -1;",
  "  fseek(file, 0, SEEK_END);",
  '  fprintf(file, v % 2 ? "%lld\\n" : "%5lld;\\n", v);',
  "  rewind(file);",
  "  while (lines < 6 && fgets(line, sizeof line, file)) {",
  "    sum = (sum + (int)(strtoll(line, 0, 10) % 1000)) % 5000;",
  "    lines++;",
  "  }",
  "  if (ftell(file) > 300) { fclose(file); file = 0; }",
  "  else if (lines == 3) { fseek(file, -2, SEEK_CUR); sum += fgetc(file); ungetc('x', file); sum += fgetc(file) + !!feof(file); }",
  "  return sum * 10 + lines;",
  "}",
  "static struct { signed char head[3]; int cells[2][3]; int last; } parts = { { 1, 2, 3 }, { { 4, 5, 6 }, { 7, 8, 9 } }, 10 };",
  "static int inner(unsigned i, int v) { parts.cells[i % 2][i % 3] = v % 100; return parts.head[i % 3] + parts.cells[1][i % 3]; }",
  "static int cell(unsigned i) { return parts.cells[i % 2][i % 4] + parts.head[i % 3] + parts.last; }",
];

export const fileNames: readonly string[] = ["file", "stored", "parts", "inner", "cell"];
