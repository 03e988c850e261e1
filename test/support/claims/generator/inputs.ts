import { anyType, type ClaimBuilder, name, reader, type Scalar } from "./claimBuilder.ts";

/** Inputs at the start of `main`, most of them kept within bounds in one of the ways that programs have for it. */
export function declareInputs(b: ClaimBuilder): string[] {
  const count = 1 + b.choices.pick(4);
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const made: Scalar = { name: name(b, "n"), type: anyType(b), role: "input" };
    lines.push(`${made.type.name} ${made.name} = ${reader(made.type)}();`);
    lines.push(...guard(b, made));
    b.scalars.push(made);
  }
  return lines;
}

function guard(b: ClaimBuilder, { name: n, type }: Scalar): string[] {
  const { choices } = b;
  const low = choices.pick(3);
  const high = low + 1 + choices.pick(choices.chance(30) ? 90 : 12);
  const outside = type.signed ? `${n} < ${low} || ${n} > ${high}` : `${n} > ${high}`;
  return choices.weighted<() => string[]>([
    [4, () => []],
    [3, () => [`if (${outside}) return 0;`]],
    [2, () => [`if (${n} < ${low}) return 0;`]],
    [1, () => [`if (${n} > ${high}) exit(0);`]],
    [1, () => [`__VERIFIER_assume(!(${outside}));`]],
    [1, () => [`if (${n} == ${low}) return 0;`]],
    [1, () => [`if (${outside}) ${n} = ${low};`]],
    [1, () => [`${n} = ${n} & ${choices.oneOf([1, 3, 7, 15])};`]],
    [type.narrow ? 0 : 1, () => [`${n} = ${n} % ${2 + choices.pick(9)};`]],
  ])();
}
