#ifdef BIG
#define SIZE 8
#else
#define SIZE 2
#endif
static int size(void) { return SIZE; }
#define NAME(x) SIZE##x
