/** How text is made to stand out; the identity where there is no terminal. */
export type Paint = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
};

const same = (text: string) => text;
export const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };
