// A discount for large orders, given to the small ones.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int price_of(int quantity) {
  int each = 20;
  int shipping = 7;
  if (quantity < 10) each = 15;
  return quantity * each + shipping;
}

int main(void) {
  int quantity = __VERIFIER_nondet_int();
  if (quantity < 1 || quantity > 5) return 0;
  int price = price_of(quantity);
  assert(price >= 20 * quantity);
  return 0;
}
