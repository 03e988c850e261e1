/* `next` has external linkage here, and nobody else sees it. */
int next(void);
int from_third(void) {
  extern int shared;
  shared++;
  return next();
}
static char n = 'x';
int next(void) { return n++; }
