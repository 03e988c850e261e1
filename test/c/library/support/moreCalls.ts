/** Statements that show what functions with places of their own, blocks or a state do, by name. */

const floats = (
  type: string,
  name: string,
  format: string,
) => `  static const char *numbers[] = { "0", "-1.5", "  42abc", "0x1.8p1", ".5", "5.", "1e", "inf", "-INFINITY", "zz", "", "3.25e2", "0x" };
  for (int i = 0; i < COUNT(numbers); i++) {
    fresh();
    char *end;
    ${type} r = ${name}(numbers[i], &end);
    int code = errno; begin("${name}"); errno = code;
    printf("${format}", r);
    place(end, numbers[i]);
    finish();
  }`;

const generated = (
  name: string,
  seed: string,
) => `  static const unsigned seeds[] = { 0, 1, 42, 2147483648u, 4294967295u };
  for (int i = 0; i < COUNT(seeds); i++) {
    fresh();
    ${seed}(seeds[i]);
    begin("${name}");
    for (int k = 0; k < 5; k++) { printf("%.17g ", (double)${name}()); }
    finish();
  }
  srandom(1);`;

const aligned = (name: string) => `  fresh();
  char *r = ${name}(64, 128);
  memset(r, 1, 128);
  begin("${name}");
  integer((long long)((size_t)r % 64));
  finish();
  free(r);`;

const printed = (name: string, call: string) => `  fresh();
  char *r = 0;
  int length = ${call}(&r, "%s %d %g", "text", 42, 1.5);
  begin("${name}");
  integer(length);
  printf("%s", r);
  free(r);
  finish();`;

export const moreHelpers = `static int list_vasprintf(char **to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int r = vasprintf(to, format, list);
  va_end(list);
  return r;
}
`;

const fused = (
  type: string,
  name: string,
) => `  static const ${type} numbers[] = { 0, -0.0, 1, -1.5, 0.1, 1e10, 3e-20, 1.0000001, 4.5e-38, INFINITY, NAN };
  for (int i = 0; i < COUNT(numbers); i++) for (int k = 0; k < COUNT(numbers); k++) for (int l = 0; l < COUNT(numbers); l++) {
    fresh();
    ${type} r = ${name}(numbers[i], numbers[k], numbers[l]);
    begin("${name}");
    real((double)r);
    finish();
  }`;

export const moreCalls: Readonly<Record<string, string>> = {
  fma: fused("double", "fma"),
  fmaf: fused("float", "fmaf"),
  // Whose products are exact where a double's are not.
  fmal: `  fresh(); begin("fmal"); real((double)fmal(1.5L, 2.0L, -0.25L)); finish();`,
  nextafterl: `  fresh(); begin("nextafterl"); real((double)nextafterl(1.0L, 1.0L)); finish();`,
  // Whose range is larger than a double's.
  strtold: floats("long double", "strtold", "%Lg"),
  reallocarray: `  static const size_t sizes[][2] = { { 3, 4 }, { 0, 4 }, { (size_t)1 << 40, (size_t)1 << 40 } };
  for (int i = 0; i < COUNT(sizes); i++) {
    fresh();
    char *old = malloc(4);
    memcpy(old, "wxyz", 4);
    char *r = reallocarray(old, sizes[i][0], sizes[i][1]);
    int code = errno; begin("reallocarray"); errno = code;
    integer(r != 0);
    if (r != 0) integer(r[3]);
    finish();
    if (r != 0) free(r); else if (i == 2) free(old);
  }`,
  aligned_alloc: aligned("aligned_alloc"),
  memalign: aligned("memalign"),
  random: generated("random", "srandom"),
  srandom: generated("random", "srandom").replace('begin("random")', 'begin("srandom")'),
  drand48: generated("drand48", "srand48"),
  lrand48: generated("lrand48", "srand48"),
  mrand48: generated("mrand48", "srand48"),
  srand48: `  fresh(); srand48(-5); begin("srand48"); integer(lrand48()); finish();`,
  rand_r: `  static const unsigned seeds[] = { 0, 1, 42, 4294967295u };
  for (int i = 0; i < COUNT(seeds); i++) {
    fresh();
    unsigned seed = seeds[i];
    begin("rand_r");
    for (int k = 0; k < 5; k++) { integer(rand_r(&seed)); printf(" "); }
    natural(seed);
    finish();
  }`,
  strtok_r: `  static const char *sets[] = { ",", ",; ", "", "abc" };
  for (int i = 0; i < COUNT(texts); i++) for (int k = 0; k < COUNT(sets); k++) {
    fresh();
    char *whole = room(0, texts[i]), *rest = 0;
    begin("strtok_r");
    for (char *r = strtok_r(whole, sets[k], &rest); r != 0; r = strtok_r(0, sets[k], &rest)) { place(r, whole); printf("%s ", r); }
    place(rest, whole);
    finish();
  }`,
  strsep: `  static const char *sets[] = { ",", ",; ", "", "abc" };
  for (int i = 0; i < COUNT(texts); i++) for (int k = 0; k < COUNT(sets); k++) {
    fresh();
    char *whole = room(0, texts[i]), *rest = whole;
    begin("strsep");
    for (char *r; (r = strsep(&rest, sets[k])) != 0;) { place(r, whole); printf("%s ", r); place(rest, whole); }
    finish();
  }`,
  asprintf: printed("asprintf", "asprintf"),
  vasprintf: printed("vasprintf", "list_vasprintf"),
};
