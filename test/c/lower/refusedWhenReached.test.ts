import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

/** Each kind of thing that is not supported, on a way that a run takes or does not take. */
const source = `
#include <fenv.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
void last(void) {}
int main(int argc, char **argv) {
  switch (argc) {
    case 2: if (atexit(last) == 0) return 1; break;
    case 3: __asm__("nop"); break;
    case 4: { static void *to = &&end; goto *to; }
    case 5: return (int)getpid();
    case 6: return fesetround(FE_UPWARD);
    case 7: { pid_t (*p)(void) = getpid; return (int)p(); }
  }
end:
  return 42;
}
`;

describe("an unsupported construct", () => {
  const load = () => loadCText("p.c", source, { unsupported: "whenReached" });
  const run = async (args: number) => runProgram(await load(), { args: Array.from({ length: args }, () => "x") });

  it("is an error of a program that can reach it", async () => {
    await expect(loadCText("p.c", source)).rejects.toMatchObject({ kind: "unsupported" });
  });

  it("is an error only of runs that reach it, if runs are the question", async () => {
    expect((await run(0)).outcome).toMatchObject({ kind: "exit", code: 42 });
    await expect(run(1)).rejects.toMatchObject({ code: "TF255", range: { line: 9 } });
    await expect(run(2)).rejects.toMatchObject({ code: "TF257", range: { line: 10 } });
    await expect(run(3)).rejects.toMatchObject({ code: "TF253", range: { line: 11 } });
    await expect(run(4)).rejects.toMatchObject({ code: "TF243", range: { line: 12 } });
    await expect(run(6)).rejects.toMatchObject({ code: "TF243" });
    await expect(run(5)).rejects.toMatchObject({ code: "TF255", message: expect.stringContaining("fesetround") });
  });
});
