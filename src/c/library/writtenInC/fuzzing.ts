import { fuzzEntry, mostFuzzBytes } from "../../../ir/reservedNames.ts";

/** Calls libFuzzer's entry point with standard input, in a block of exactly its size. */
export const fuzzingSource = `#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int ${fuzzEntry}(void) {
  static uint8_t none[1];
  uint8_t *data = malloc(${mostFuzzBytes});
  size_t size = fread(data, 1, ${mostFuzzBytes}, stdin);
  LLVMFuzzerTestOneInput(size == 0 ? none + 1 : (data = realloc(data, size)), size);
  free(data);
  return 0;
}
`;
