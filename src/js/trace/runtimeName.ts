/** The global object that instrumented code calls. */
export const runtimeName = "__tracefold";

/** Bits that say what kind of function was entered. */
export const isAsyncFunction = 1;
export const isGeneratorFunction = 2;

/** The message of the error that ends a test which would not end by itself. */
export const endless = "the test does not end";
