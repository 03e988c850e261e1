import { expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { explainTrace } from "../../../../src/commands/explain/pipeline.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { screenOf } from "../../../../src/render/chooseRows.ts";

/** Explanations of what a program printed. */

async function explained(source: string, stdout: string, stdin = "") {
  const program = await loadCText("p.c", source);
  const trace = recordTrace(program, { stdin: Buffer.from(stdin), expected: { stdout: Buffer.from(stdout) } });
  expect(trace.outcome.kind).toBe("wrong-output");
  const about = () => ({ version: "", ms: 0, replay: () => "" });
  const explanation = explainTrace(trace, {}, about);
  if (explanation.kind !== "explained") throw new Error(explanation.kind);
  const { sections } = screenOf(explanation, { all: true });
  const rows = sections.flatMap((section) => section.rows);
  return {
    questions: sections.map(({ question }) => question),
    lines: [...new Set(rows.map(({ location }) => location.line))].sort((a, b) => a - b),
    values: rows.flatMap(({ values }) => values.map(({ text, value }) => `${text} = ${value}`)),
  };
}

it("begin with the directive that printed the byte, not with the others", async () => {
  const source = `#include <stdio.h>
int main(void) {
  int right = 1;
  int wrong = 2;
  char name[8] = "abc";
  printf("%d %s %d\\n", right, name, wrong);
  return 0;
}
`;
  expect(await explained(source, "1 abc 3\n")).toMatchObject({ questions: ["why wrong is 2"], lines: [4] });
});

it("follow the very byte through strings and what wrote them", async () => {
  const source = `#include <stdio.h>
#include <string.h>
#include <ctype.h>
int main(void) {
  char line[20], copy[20], out[40];
  fgets(line, sizeof line, stdin);
  strcpy(copy, line);
  copy[1] = toupper(copy[1]);
  copy[2] = '-';
  sprintf(out, "<%.4s>", copy);
  puts(out);
  return 0;
}
`;
  const { questions, lines, values } = await explained(source, "<wo-d>\n", "word\n");
  expect(questions[0]).toBe('why out is "<wO-d>"');
  expect(lines).toEqual(expect.arrayContaining([6, 8, 10]));
  expect(lines).not.toContain(9);
  expect(values).toContain('line = "word\\n"');
  expect(values).toContain('out = "<wO-d>"');
});

it("ask for what was not printed", async () => {
  const source = `#include <stdio.h>
int main(void) {
  int limit = 2;
  for (int i = 0; i < 4; i++)
    if (i < limit)
      printf("%d\\n", i);
  puts("end");
  return 0;
}
`;
  expect((await explained(source, "0\n1\n2\nend\n")).lines).toEqual(expect.arrayContaining([3, 5]));
  const short = source.replace('  puts("end");\n', "");
  expect((await explained(short, "0\n1\n2\n")).lines).toEqual(expect.arrayContaining([3, 5]));
});
