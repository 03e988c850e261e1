import fc from "fast-check";

/** The sequences of choices that memory programs are made from. */
export const memoryChoices: fc.Arbitrary<number[]> = fc.array(fc.nat(0xffff), {
  minLength: 80,
  maxLength: 320,
  size: "max",
});
