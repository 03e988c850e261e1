/**
 * Programs for which something false was once claimed of other inputs (`test/fixtures/claims`): the inputs that were explained, and
 * others that satisfied what was printed but do something else. `long`: takes some seconds.
 */
export type FalseClaim = {
  readonly name: string;
  readonly inputs: readonly bigint[];
  readonly counterexample: readonly bigint[];
  readonly long?: true;
};

export const falseClaims: readonly FalseClaim[] = [
  { name: "indexOverflow", inputs: [4n], counterexample: [2147483647n] },
  {
    name: "decidedBehindLoop",
    inputs: [1n, 2n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 7n],
    counterexample: [1n, 2n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 5n],
  },
  { name: "s03", inputs: [10n, 3n], counterexample: [3n, 2147483647n], long: true },
  { name: "s17", inputs: [10n], counterexample: [2147483647n] },
  { name: "s18", inputs: [10n], counterexample: [17n] },
  { name: "s21", inputs: [40n, 2n], counterexample: [40n, 3n], long: true },
  { name: "s26", inputs: [6n, 0n], counterexample: [9n, 3n] },
  { name: "s27", inputs: [6n, 2n], counterexample: [6n, 0n], long: true },
  { name: "s28", inputs: [8n], counterexample: [32767n], long: true },
  { name: "t02", inputs: [1n], counterexample: [0n] },
  { name: "t09", inputs: [3n, 2n], counterexample: [37n, 2571n], long: true },
  { name: "t13", inputs: [5n, 2n], counterexample: [53n, -19n] },
  { name: "t16", inputs: [3n], counterexample: [22n], long: true },
  { name: "t19", inputs: [10n], counterexample: [16n] },
  { name: "t23", inputs: [7n], counterexample: [8n], long: true },
  { name: "t24", inputs: [5n, 6n], counterexample: [5n, 5n], long: true },
  { name: "v01", inputs: [1n, 5n], counterexample: [0n, 5n], long: true },
  { name: "v12", inputs: [1n, 0n], counterexample: [0n, 0n] },
  { name: "v18", inputs: [1n], counterexample: [0n], long: true },
  { name: "x02", inputs: [3n, 1n, 1n, 1n], counterexample: [3n, 0n, 0n, 0n], long: true },
  { name: "unsetCellOfBlock", inputs: [6n], counterexample: [1n] },
  { name: "unsetOperand", inputs: [3n, 50n], counterexample: [1n, 50n] },
  { name: "y01", inputs: [1n, 5n, 6n], counterexample: [0n, 5n, 6n] },
  { name: "y06", inputs: [1n], counterexample: [0n] },
  { name: "y10", inputs: [2n], counterexample: [6n], long: true },
  { name: "z01", inputs: [1n], counterexample: [0n] },
  { name: "z02", inputs: [1n], counterexample: [2n] },
  { name: "z03", inputs: [1n], counterexample: [0n], long: true },
  { name: "z04", inputs: [1n], counterexample: [0n], long: true },
  { name: "z06", inputs: [9n], counterexample: [2n], long: true },
  { name: "z07", inputs: [6n], counterexample: [3n] },
];
