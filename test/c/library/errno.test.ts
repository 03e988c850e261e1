import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { hasTool } from "../../support/tools.ts";

const preprocessors = hasTool("gcc") ? (["builtin", "gcc"] as const) : (["builtin"] as const);

describe.each(preprocessors)("errno, preprocessed by %s", (preprocess) => {
  const output = async (body: string, declared = "") => {
    const source = `#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n${declared}\nint main(void) {\n${body}\nreturn 0;\n}\n`;
    const { outcome, stdout, inputs } = runProgram(await loadCText("p.c", source, { preprocess }));
    expect(outcome).toMatchObject({ kind: "exit", code: 0 });
    expect(inputs).toEqual([]);
    return Buffer.from(stdout).toString();
  };

  it("starts as 0 and keeps what the program stores", async () => {
    expect(await output('printf("%d ", errno); errno = 7; printf("%d", errno);')).toBe("0 7");
  });

  it("is set by functions that fail, and by no others", async () => {
    const body = `errno = 1; strtol("12", 0, 10); printf("%d ", errno);
      errno = 0; strtol("99999999999999999999", 0, 10); printf("%d ", errno == ERANGE);
      errno = 0; printf("%d ", malloc((size_t)1 << 60) == NULL && errno == ENOMEM);`;
    expect(await output(body)).toBe("1 1 1 ");
  });

  it("has an address", async () => {
    const body =
      'int *p = &errno; *p = 3; printf("%d ", errno); strtol("99999999999999999999", 0, 10); printf("%d", *p);';
    expect(await output(body)).toBe("3 34");
  });

  it("is saved before a later argument of the same call sets it", async () => {
    const show = 'static void show(int code, long value) { printf("%d %d", code, value > 0); }';
    expect(await output('show(errno, strtol("99999999999999999999", 0, 10));', show)).toBe("0 1");
  });

  it("is printed by perror, whether the program reads it or not", async () => {
    const source =
      '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { malloc((size_t)1 << 60); perror("p"); return 0; }\n';
    const { stderr } = runProgram(await loadCText("p.c", source, { preprocess }));
    expect(Buffer.from(stderr).toString()).toBe("p: Cannot allocate memory\n");
  });
});

it("names an unsupported library function, with the place of its call", async () => {
  const source = '#include <stdio.h>\nint main(void) {\n  FILE *f = popen("x", "r");\n  return f != 0;\n}\n';
  await expect(loadCText("p.c", source)).rejects.toMatchObject({
    code: "TF243",
    message: expect.stringContaining("popen"),
    range: { file: "p.c", line: 3, column: 13 },
  });
});
