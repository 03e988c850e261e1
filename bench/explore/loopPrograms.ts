/** A program of the kind of the paper's Table 1: many paths, and a target behind loops that is hard to reach. */
export type LoopProgram = {
  readonly name: string;
  readonly what: string;
  readonly source: string;
  readonly expected: "reached" | "unreachable";
  /** States that classic and compact execution visited in the paper, for the program of the same kind. */
  readonly published: { readonly classic: number; readonly compact: number };
};

const prelude = `extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
void __VERIFIER_assume(int);
`;

function program(
  name: string,
  what: string,
  expected: LoopProgram["expected"],
  published: LoopProgram["published"],
  body: string,
): LoopProgram {
  return { name, what, expected, published, source: `${prelude}${body}` };
}

/** Memory that nothing was written to holds inputs. */
export const loopPrograms: readonly LoopProgram[] = [
  program(
    "hello",
    "a character is looked for in a text",
    "reached",
    { classic: 2262, compact: 187 },
    `
int main(void) {
  char text[1000]; int n = __VERIFIER_nondet_int(), i = 0;
  __VERIFIER_assume(n >= 0 && n <= 1000);
  while (i < n && text[i] != 'h') i++;
  if (i < n && i > 300) reach_error();
}`,
  ),
  program(
    "two words",
    "two searches, one behind the other",
    "reached",
    { classic: 223823, compact: 1048 },
    `
int main(void) {
  char text[500]; int n = __VERIFIER_nondet_int(), i = 0, j;
  __VERIFIER_assume(n >= 0 && n <= 500);
  while (i < n && text[i] != 'H') i++;
  j = i;
  while (j < n && text[j] != 'W') j++;
  if (j < n && i < n && j > i + 50) reach_error();
}`,
  ),
  program(
    "three words",
    "three searches in sequence",
    "reached",
    { classic: 162535, compact: 5125 },
    `
int main(void) {
  char text[500]; int n = __VERIFIER_nondet_int(), i = 0, j, k;
  __VERIFIER_assume(n >= 0 && n <= 500);
  while (i < n && text[i] != 'H') i++;
  j = i; while (j < n && text[j] != 'W') j++;
  k = j; while (k < n && text[k] != 'M') k++;
  if (k < n && k == i + 60 && j == i + 20) reach_error();
}`,
  ),
  program(
    "matrix row",
    "a row of a matrix is scanned",
    "reached",
    { classic: 270737, compact: 1234 },
    `
int main(void) {
  int matrix[4000]; int row = __VERIFIER_nondet_int(), width = __VERIFIER_nondet_int(), i = 0;
  __VERIFIER_assume(row >= 0 && row < 10 && width > 100 && width <= 400);
  while (i < width && matrix[row * 400 + i] > 0) i++;
  if (i == width && row == 7) reach_error();
}`,
  ),
  program(
    "matrix of any width",
    "the same with a width that is not bounded by a constant",
    "reached",
    { classic: 267636, compact: 2472 },
    `
int main(void) {
  int n = __VERIFIER_nondet_int(), limit = __VERIFIER_nondet_int(), i = 0, sum = 0;
  __VERIFIER_assume(n > 1000 && n < 100000 && limit > 0);
  while (i < n) { sum += 3; i++; }
  if (sum == 3 * limit && limit > 5000) reach_error();
}`,
  ),
  program(
    "phases",
    "a loop that first does one thing, then another",
    "reached",
    { classic: 205577, compact: 2274 },
    `
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0;
  __VERIFIER_assume(n > 100 && n < 1000);
  while (x < 2 * n) { if (x < n) y++; else y = y + 2; x++; }
  if (y == 900) reach_error();
}`,
  ),
  program(
    "countdown",
    "a counter runs down while another runs up",
    "reached",
    { classic: 281263, compact: 466 },
    `
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), up = 0, down;
  __VERIFIER_assume(n > 500 && n < 100000);
  down = n;
  while (down > 0) { down--; up += 2; }
  if (up == 7 * 2000) reach_error();
}`,
  ),
  program(
    "decode packets",
    "packets with lengths of their own are skipped",
    "reached",
    { classic: 8992, compact: 1276 },
    `
int main(void) {
  int n = __VERIFIER_nondet_int(), at = 0, packets = 0;
  __VERIFIER_assume(n > 600 && n < 5000);
  while (at + 4 <= n) { int length = __VERIFIER_nondet_int(); __VERIFIER_assume(length == 4); at += length; packets++; }
  if (packets == 400) reach_error();
}`,
  ),
  program(
    "driver",
    "a request is repeated until it is done",
    "reached",
    { classic: 206903, compact: 1370 },
    `
int main(void) {
  int status = 1, tries = 0, limit = __VERIFIER_nondet_int();
  __VERIFIER_assume(limit > 300 && limit < 3000);
  while (tries < limit) { status = __VERIFIER_nondet_int(); if (status == 0) break; tries++; }
  if (status == 0 && tries == 299) reach_error();
}`,
  ),
  program(
    "equal pairs",
    "equal pairs are counted",
    "reached",
    { classic: 179803, compact: 345 },
    `
int main(void) {
  int a[300], b[300]; int n = __VERIFIER_nondet_int(), i = 0;
  __VERIFIER_assume(n > 50 && n <= 300);
  while (i < n && a[i] == b[i]) i++;
  if (i == n && n == 200) reach_error();
}`,
  ),
  program(
    "counting equal pairs",
    "as many as there are rounds, never more",
    "unreachable",
    { classic: 251061, compact: 10581 },
    `
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, count = 0;
  __VERIFIER_assume(n > 0 && n < 100000);
  while (i < n) { i++; count++; }
  if (count > n) reach_error();
}`,
  ),
  program(
    "one loop",
    "a loop with a stride steps over its end",
    "unreachable",
    { classic: 38230, compact: 41 },
    `
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0;
  __VERIFIER_assume(n < 1000000);
  while (x < n) x += 4;
  if (x % 4 != 0) reach_error();
}`,
  ),
  program(
    "two loops",
    "the second loop depends on the first",
    "unreachable",
    { classic: 917343, compact: 25 },
    `
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = 0;
  __VERIFIER_assume(n > 0 && n < 1000000);
  while (i < n) i++;
  while (j < i) j += 2;
  if (j < n || j > n + 1) reach_error();
}`,
  ),
];
