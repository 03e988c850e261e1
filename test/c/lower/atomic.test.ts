import { expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { runWithGcc } from "../../interpreter/gcc.ts";
import { hasTool } from "../../support/tools.ts";

const source = `#include <stdatomic.h>
#include <stdio.h>
typedef atomic_int counter;
static counter count;
static _Atomic(unsigned) u = 5;
static _Atomic long l;
static int plain = 39;
static void show(int value) { printf("%d %d ", value, count); }
int main(void) {
  show(atomic_fetch_add(&count, 3));
  show(atomic_fetch_sub(&count, 1));
  show(atomic_fetch_or(&count, 12));
  show(atomic_load(&count));
  atomic_store(&count, 40);
  for (int i = 0; i < 2; i++) {
    show(atomic_compare_exchange_strong(&count, &plain, 7));
    printf("%d ", plain);
  }
  show(atomic_exchange(&count, 9));
  count += 2;
  u++;
  l = u * 2;
  printf("%u %ld\\n", u, l);
  show(__sync_fetch_and_add(&plain, 2));
  show(__sync_sub_and_fetch(&plain, 5));
  show(__atomic_or_fetch(&plain, 128, __ATOMIC_SEQ_CST));
  show(__atomic_exchange_n(&plain, 3, __ATOMIC_SEQ_CST));
  __atomic_store_n(&plain, 4, __ATOMIC_RELEASE);
  show(__atomic_load_n(&plain, __ATOMIC_ACQUIRE));
  atomic_thread_fence(memory_order_seq_cst);
  __auto_type half = 2.5;
  printf("%g\\n", half);
  return 0;
}
`;

it.skipIf(!hasTool("gcc"))("gives atomic operations their effect in one thread", async () => {
  const { stdout, outcome } = runProgram(await loadCText("p.c", source));
  expect(outcome).toMatchObject({ kind: "exit", code: 0 });
  expect(Buffer.from(stdout).toString()).toBe(Buffer.from(runWithGcc(source).stdout).toString());
});
