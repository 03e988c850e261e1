/* Logs every branch as one int, as the interpreter's recording does; without LOG_BRANCHES a branch is just a branch. */
#ifdef LOG_BRANCHES
#include <stdlib.h>
static int *branch_at, *branch_end;
static void branch_chunk(void) {
  branch_at = malloc(65536 * sizeof(int));
  branch_end = branch_at + 65536;
}
static int branch_log(int site, int taken) {
  if (branch_at == branch_end) branch_chunk();
  *branch_at++ = 2 * site + taken;
  return taken;
}
#define BRANCH(condition) branch_log(__LINE__, !!(condition))
#else
#define BRANCH(condition) (condition)
#endif
