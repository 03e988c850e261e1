#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct account {
  int balance;
  int credit;
};

int available(const struct account *a) {
  return a->balance + a->credit;
}

int withdraw(struct account *a, int amount) {
  assert(amount > 0);
  if (amount > available(a)) return 0;
  a->balance -= amount;
  return 1;
}

int test(void) {
  struct account a = {100, 10};
  int amount = __VERIFIER_nondet_int();
  int paid = withdraw(&a, amount) + withdraw(&a, 40);
  return paid + available(&a);
}
