/** What the function is called that gives static variables their first values. Nobody wrote it: texts name it otherwise. */
export const initializerName = "$init";
