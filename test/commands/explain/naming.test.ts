import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { explain } from "../../../src/commands/explain/pipeline.ts";
import { explainProofText, isArgued } from "../../../src/render/explainProofText.ts";
import { explainText } from "../../../src/render/explainText.ts";
import { plain } from "../../../src/render/layout.ts";

const source = `#include <assert.h>
#include <stdlib.h>
struct node { int id; struct node *next; };
int main(void) {
  struct node *first = malloc(sizeof *first);
  struct node *second = malloc(sizeof *second);
  int heap18 = 3;
  int heap19 = heap18 + 4;
  first->id = heap18;
  second->id = heap19;
  first->next = second;
  assert(first->next->id == heap18 + 5);
  return 0;
}
`;

describe("variables that are called like the blocks of the logic", () => {
  it("keep their names, in text and in JSON, and blocks have theirs", async () => {
    const explanation = explain(await loadCText("names.c", source), {});
    if (!isArgued(explanation)) throw new Error(explanation.kind);
    const complete = explainProofText(explanation, { paint: plain });
    expect(complete).toContain("heap19 = heap18 + 4");
    expect(complete).toContain("heap18 == 3 && heap19 == 7");
    expect(complete).toContain("(the node of main:6)->id != heap18 + 5");
    expect(complete).toContain("assert(first->next->id == heap18 + 5)");
    const screen = explainText(explanation, { paint: plain, source: () => source });
    expect(screen).toContain("int heap19 = heap18 + 4;");
    expect(screen).not.toContain("the node");
    const json = JSON.stringify(explanation);
    expect(json).toContain('"assert(first->next->id == heap18 + 5)"');
    expect(json).not.toMatch(/the node of main:\d\) (==|=|\+)/);
  });
});
