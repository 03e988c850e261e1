/** A pointer of the running program: 0 is null, and adding moves it by bytes. */
export type Pointer = number;
