static int n = 10;
int shared = 5;
static int next(void) {
  static int calls;
  calls++;
  n += calls;
  return n;
}
int from_other(void) { return next(); }
