/** The table of objects (`Memory.objects`): its fields, and the kinds of objects. */

export const objectFields = 8;
export const fieldBase = 0;
/** Readable bytes; -1 if the object is dead or not data. */
export const fieldReadable = 1;
export const fieldWritable = 2;
/** The size at birth. */
export const fieldLength = 3;
export const fieldKind = 4;
/** The variable (statics, locals, literals), the function, the allocation site, or an argument's index. */
export const fieldOrigin = 5;
/** The object that died next; only dead objects have it. */
export const fieldNextDead = 6;

export const objectKinds = ["none", "static", "local", "heap", "literal", "function", "stack", "argument"] as const;
export type ObjectKind = (typeof objectKinds)[number];
export const kindStatic = 1;
export const kindLocal = 2;
export const kindHeap = 3;
export const kindLiteral = 4;
export const kindFunction = 5;
/** `alloca` and variable-length arrays. */
export const kindStack = 6;
/** `argv` and its strings. */
export const kindArgument = 7;

/** The first id in use: integers below 2^33 cast to pointers never meet an object. */
export const firstObject = 16;
/** Linear addresses start above an empty page. */
export const firstAddress = 4096;
/** The minimum length of the queue of dead ids, so that a dangling pointer meets a dead object. */
export const quarantine = 65536;
