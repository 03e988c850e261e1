int level(void) { return 2; }
int limit = 20;
__attribute__((weak)) int only_here(void);
int asked(void) { return only_here() * 7; }
