import { describe, expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { backboneRows } from "../../../../src/render/chooseRows.ts";
import { whysOf } from "../../../support/toldWhys.ts";

/** The lines that the failing value was made of. */
async function madeOf(source: string): Promise<readonly number[]> {
  const explained = whysOf(recordTrace(await loadCText("p.c", source)));
  return backboneRows(explained).map(({ node }) => explained.graph.nodes[node]!.location.line);
}

const includes = "#include <assert.h>\n#include <string.h>\n";

describe("bytes that library functions read and write", () => {
  it("leads from a text to the entry of the table that it came from", async () => {
    const source = `${includes}static const char *const words[] = { "the", "and",
  "fro",
  "with" };
static int unpack(const unsigned char *in, int n, char *out) {
  char *start = out;
  for (int i = 0; i < n; i++) {
    int length = strlen(words[in[i]]);
    memcpy(out, words[in[i]], length);
    out += length;
  }
  return out - start;
}
int main(void) {
  char text[40];
  int n = unpack((const unsigned char *)"\\1\\2\\3", 3, text);
  assert(memcmp(text, "andforwith", n) == 0);
  return 0;
}
`;
    expect(await madeOf(source)).toEqual([10, 4]);
  });

  it("leads through parameters to the call with the literal", async () => {
    const source = `${includes}static char word[20];
static int end;
static void put(const char *with) { int n = strlen(with); memmove(word + end - 2, with, n + 1); }
static void replace(const char *with) { put(with); }
int main(void) {
  strcpy(word, "ponies");
  end = (int)strlen(word);
  replace("ie");
  assert(strcmp(word, "ponii") == 0);
  return 0;
}
`;
    expect(await madeOf(source)).toEqual([5, 6, 10]);
  });

  it("goes on with the first byte that differs, not with the bytes around it", async () => {
    const source = `${includes}int main(void) {
  char text[6] = "abcde";
  text[1] = 'x';
  text[3] = 'y';
  text[4] = 'z';
  assert(memcmp(text, "abcde", 5) == 0);
  return 0;
}
`;
    expect(await madeOf(source)).toEqual([5]);
  });

  it("asks where a place comes from that a call must not be given", async () => {
    const source = `${includes}int main(void) {
  int all[4] = { 1, 2, 3, 4 }, to, at = 2;
  at += 2;
  memcpy(&to, all + at, sizeof to);
  return to;
}
`;
    expect(await madeOf(source)).toEqual([5, 4]);
  });
});
