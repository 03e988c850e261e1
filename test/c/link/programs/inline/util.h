static inline int counted(void) {
  static int calls;
  return ++calls;
}
inline int doubled(int x) { return 2 * x; }
__extension__ extern inline __attribute__((__gnu_inline__)) int tripled(int x) { return -3 * x; }
