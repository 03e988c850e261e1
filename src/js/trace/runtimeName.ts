/** The global object that instrumented code calls. */
export const runtimeName = "__tracefold";
