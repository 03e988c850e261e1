/**
 * A program is built from a sequence of numbers: every decision of the generator consumes one, and 0, which is also
 * what an exhausted sequence gives, is the simplest option. A shorter or smaller sequence is then a simpler program,
 * which makes every generated program shrinkable without a shrinker for C.
 */
export type Choices = {
  /** A number in `0 .. bound - 1`. */
  readonly pick: (bound: number) => number;
  readonly chance: (percent: number) => boolean;
  readonly oneOf: <T>(options: readonly T[]) => T;
  /** One of the options, by weight; the first is the simplest. */
  readonly weighted: <T>(options: readonly (readonly [number, T])[]) => T;
  readonly exhausted: () => boolean;
};

export function makeChoices(sequence: readonly number[]): Choices {
  let position = 0;
  const pick = (bound: number) => (position < sequence.length ? sequence[position++]! % bound : 0);
  return {
    pick,
    chance: (percent) => pick(100) >= 100 - percent,
    oneOf: (options) => options[pick(options.length)]!,
    weighted: (options) => {
      let rest = pick(options.reduce((sum, [weight]) => sum + weight, 0));
      for (const [weight, option] of options) {
        if (rest < weight) return option;
        rest -= weight;
      }
      return options[0]![1];
    },
    exhausted: () => position >= sequence.length,
  };
}
