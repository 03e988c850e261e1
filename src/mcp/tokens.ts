/** An answer is at most so long, in tokens of a language model. */
export const mostTokens = 800;

const pieces = /[A-Z]?[a-z]+|[A-Z]+|\d+|\n+| {2,}|\t+|[^\sA-Za-z\d]/gu;

/** At least as many tokens as usual tokenizers make of a text: each has its own, and the model's may not be known. */
export function estimateTokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(pieces)) {
    if (/[a-z]/i.test(piece)) count += Math.ceil(piece.length / 5);
    else if (/\d/.test(piece)) count += Math.ceil(piece.length / 2);
    else count += /[^\p{ASCII}]/u.test(piece) ? 3 : 1;
  }
  return count;
}
