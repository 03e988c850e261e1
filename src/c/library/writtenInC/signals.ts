import { type Entry, inC } from "../entry.ts";

/** `<signal.h>`: no signal arrives from outside; signals that the program raises call its handlers. */
export const signalsSource = `#include <errno.h>
#include <signal.h>
#include <stdlib.h>
static __sighandler_t __tf_handlers[65];

__sighandler_t signal(int number, __sighandler_t handler) {
  if (number < 1 || number > 64 || number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return SIG_ERR;
  }
  __sighandler_t before = __tf_handlers[number];
  __tf_handlers[number] = handler;
  return before;
}

int raise(int number) {
  if (number < 0 || number > 64) {
    errno = EINVAL;
    return -1;
  }
  __sighandler_t handler = __tf_handlers[number];
  if (number == 0 || handler == SIG_IGN) return 0;
  if (handler != SIG_DFL) {
    handler(number);
    return 0;
  }
  if (number != SIGCHLD && number != SIGCONT && number != 23 && number != 28) abort();
  return 0;
}
`;

export const signals: readonly Entry[] = [
  inC("signal.h", "__sighandler_t signal(int, __sighandler_t)"),
  inC("signal.h", "int raise(int)"),
];
