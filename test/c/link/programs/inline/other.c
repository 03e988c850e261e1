#include "util.h"
extern int doubled(int);
int other(void) { return counted() + doubled(3); }
