import { describe, expect, test } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { explain } from "../../../src/commands/explain/pipeline.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import type { UndefinedBehaviour } from "../../../src/ir/operation.ts";
import { screenOf } from "../../../src/render/chooseRows.ts";
import { explainText } from "../../../src/render/explainText.ts";
import { plain } from "../../../src/render/layout.ts";
import { alsoSuspects } from "../../../src/render/rows.ts";

/** One program for each kind of undefined behaviour. The line with `fault` has to be on the screen, `says` in its text. */
const programs: Record<
  Exclude<UndefinedBehaviour, "unreachable"> | "abort",
  { readonly says: string; readonly text: string }
> = {
  "signed-overflow": {
    says: "2147483647",
    text: `#include <limits.h>
int next(int n) { return n + 1; }
int main(void) {
  int top = INT_MAX; /* fault */
  return next(top) < 0;
}`,
  },
  "division-by-zero": {
    says: "count",
    text: `int mean(int sum, int count) { return sum / count; }
int main(void) {
  int count = 0;
  for (int i = 3; i < 3; i++) count++; /* fault */
  return mean(10, count);
}`,
  },
  "bad-shift": {
    says: "32",
    text: `unsigned mask(int bits) { return 1u << bits; }
int main(void) {
  int bits = 31;
  bits++; /* fault */
  return mask(bits) != 0;
}`,
  },
  "float-conversion": {
    says: "100000000000000000000 does not fit int",
    text: `int whole(double x) { return (int)x; }
int main(void) {
  double x = 1;
  for (int i = 0; i < 20; i++) x *= 10; /* fault */
  return whole(x);
}`,
  },
  "out-of-bounds-read": {
    says: "block",
    text: `#include <stdlib.h>
int main(void) {
  int *block = malloc(3 * sizeof *block);
  int sum = 0;
  for (int i = 0; i < 3; i++) block[i] = i;
  for (int i = 0; i <= 3; i++) sum += block[i]; /* fault */
  free(block);
  return sum;
}`,
  },
  "out-of-bounds-write": {
    says: "text",
    text: `#include <string.h>
int main(void) {
  char text[4];
  strcpy(text, "four"); /* fault */
  return text[0];
}`,
  },
  "index-out-of-bounds": {
    says: "index 3 is outside of",
    text: `struct pair { int a[3]; int b; };
int main(void) {
  struct pair p = {{1, 2, 3}, 4};
  int i = 2;
  i += 1; /* fault */
  return p.a[i];
}`,
  },
  "null-dereference": {
    says: "NULL",
    text: `#include <stddef.h>
struct node { int value; struct node *next; };
struct node *find(struct node *at, int value) {
  while (at != NULL && at->value != value) at = at->next;
  return at;
}
int main(void) {
  struct node last = {2, NULL}, first = {1, &last};
  struct node *found = find(&first, 3); /* fault */
  return found->value;
}`,
  },
  "invalid-pointer": {
    says: "pointer",
    text: `#include <stdint.h>
int main(void) {
  uintptr_t place = 1234; /* fault */
  int *p = (int *)place;
  return *p;
}`,
  },
  "use-after-free": {
    says: "freed",
    text: `#include <stdlib.h>
void drop(int *p) { free(p); }
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  drop(p); /* fault */
  return *p;
}`,
  },
  "use-after-scope": {
    says: "local",
    text: `int *address(int n) {
  int local = n;
  int *p = &local;
  return p; /* fault */
}
int main(void) {
  int *p = address(3);
  return *p;
}`,
  },
  "double-free": {
    says: "freed",
    text: `#include <stdlib.h>
void drop(int *p) { free(p); }
int main(void) {
  int *p = malloc(sizeof *p);
  drop(p); /* fault */
  drop(p);
  return 0;
}`,
  },
  "invalid-free": {
    says: "free",
    text: `#include <stdlib.h>
int main(void) {
  char *text = malloc(8);
  text += 2; /* fault */
  free(text);
  return 0;
}`,
  },
  "uninitialised-read": {
    says: "best",
    text: `int main(void) {
  int values[2] = {-1, -2}, best;
  for (int i = 0; i < 2; i++) {
    if (values[i] > 0) best = values[i]; /* fault */
  }
  return best > 0;
}`,
  },
  "write-to-literal": {
    says: "literal",
    text: `void clear(char *s) { s[0] = 0; }
int main(void) {
  char *s = "text"; /* fault */
  clear(s);
  return 0;
}`,
  },
  "bad-call": {
    says: "call",
    text: `typedef int (*unary)(int);
int add(int a, int b) { return a + b; }
int main(void) {
  unary f = (unary)add; /* fault */
  return f(1);
}`,
  },
  "missing-return-value": {
    says: "sign",
    text: `int sign(int n) {
  if (n > 0) return 1;
  if (n < 0) return -1; /* fault */
}
int main(void) { return sign(0); }`,
  },
  "invalid-value": {
    says: "2",
    text: `#include <stdbool.h>
#include <string.h>
int main(void) {
  bool flag;
  unsigned char byte = 2; /* fault */
  memcpy(&flag, &byte, 1);
  return flag ? 1 : 0;
}`,
  },
  "pointer-arithmetic": {
    says: "values",
    text: `#include <stddef.h>
int main(void) {
  int values[3] = {1, 2, 3};
  size_t step = 0;
  step -= 1; /* fault */
  int *p = values + step;
  return p == values;
}`,
  },
  "pointer-comparison": {
    says: "<",
    text: `int before(int *a, int *b) { return a < b; }
int main(void) {
  int first[2] = {1, 2}, second[2] = {3, 4};
  int *end = second + 1; /* fault */
  return before(first, end);
}`,
  },
  "overlapping-copy": {
    says: "memcpy",
    text: `#include <string.h>
int main(void) {
  char text[8] = "abcdef";
  int shift = 1; /* fault */
  memcpy(text + shift, text, 4);
  return text[0];
}`,
  },
  "misaligned-access": {
    says: "*length is at byte 3",
    text: `#include <stdlib.h>
int main(void) {
  unsigned char *packet = calloc(16, 1);
  int header = 3; /* fault */
  int *length = (int *)(packet + header);
  return *length;
}`,
  },
  "array-length": {
    says: "length",
    text: `int sum(int n) {
  int copy[n];
  copy[0] = 1;
  return copy[0];
}
int main(void) {
  int length = 3 - 3; /* fault */
  return sum(length);
}`,
  },
  "library-argument": {
    says: "isalpha",
    text: `#include <ctype.h>
int main(void) {
  int c = 'z';
  c *= 3; /* fault */
  return isalpha(c);
}`,
  },
  // What compilers may take as unreachable ends a run like an abort.
  abort: {
    says: "abort",
    text: `int kind(int n) {
  switch (n) {
    case 0: return 1;
    case 1: return 2;
  }
  __builtin_unreachable();
}
int main(void) {
  int n = 1 + 1; /* fault */
  return kind(n);
}`,
  },
};

describe("every kind of undefined behaviour is explained, with the faulty line on the screen", () => {
  for (const [problem, { text, says }] of Object.entries(programs)) {
    test(problem, async () => {
      const program = await loadCText("p.c", text, { preprocess: "builtin" });
      const explanation = explain(program, { shrink: false, budget: 1_500 });
      if (explanation.kind !== "explained") throw new Error(`${problem}: ${explanation.kind}`);
      const { failure, suspects } = explanation;
      const { sections, also } = screenOf(explanation);
      const { outcome } = recordTrace(program);
      expect("problem" in outcome ? outcome.problem : outcome.kind).toBe(problem);
      const line = text.split("\n").findIndex((each) => each.includes("fault")) + 1;
      const shown = [
        failure.location,
        ...failure.stack.map(({ location }) => location),
        ...failure.places.flatMap(({ calls }) => calls.map(({ location }) => location)),
        ...sections.flatMap(({ rows }) => rows.map(({ location }) => location)),
        ...alsoSuspects(explanation, also).shown.map((index) => suspects[index]!.location),
      ].map((location) => location.line);
      const screen = explainText(explanation, { paint: plain, source: () => text });
      expect(screen).toContain(says);
      expect(shown, screen).toContain(line);
    });
  }
});
