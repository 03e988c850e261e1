import fc from "fast-check";
import { expect, it } from "vitest";
import { parseExpression } from "./parseText.ts";
import { printExpr } from "./printSyntax.ts";

/** An expression in both spellings: with the fewest parentheses C allows, and with all that `printExpr` gives it. */
type Spelled = { readonly short: string; readonly full: string; readonly level: number };

// Levels of C's grammar, the loosest first.
const COMMA = 0;
const ASSIGNMENT = 1;
const CONDITIONAL = 2;
const CAST = 13;
const UNARY = 14;
const POSTFIX = 15;
const PRIMARY = 16;

const BINARY: readonly (readonly [string, number])[] = [
  ["||", 3],
  ["&&", 4],
  ["|", 5],
  ["^", 6],
  ["&", 7],
  ["==", 8],
  ["!=", 8],
  ["<", 9],
  [">=", 9],
  ["<<", 10],
  [">>", 10],
  ["+", 11],
  ["-", 11],
  ["*", 12],
  ["/", 12],
  ["%", 12],
];

function at(level: number, e: Spelled): string {
  return e.level >= level ? e.short : `(${e.short})`;
}

const leaf: fc.Arbitrary<Spelled> = fc
  .constantFrom("x", "y", "p", "1", "2u", "sizeof(T)", "s.T")
  .map((text) => ({ short: text, full: text, level: text.startsWith("sizeof") ? UNARY : POSTFIX }));

const { expression } = fc.letrec<{ expression: Spelled }>((tie) => {
  const e = tie("expression");
  return {
    expression: fc.oneof(
      { depthSize: "medium", withCrossShrink: true },
      leaf,
      fc.tuple(fc.constantFrom(...BINARY), e, e).map(([[operator, level], left, right]) => ({
        short: `${at(level, left)} ${operator} ${at(level + 1, right)}`,
        full: `(${left.full} ${operator} ${right.full})`,
        level,
      })),
      fc.tuple(fc.constantFrom("-", "+", "!", "~", "*", "&"), e).map(([operator, operand]) => ({
        short: `${operator} ${at(CAST, operand)}`,
        full: `(${operator}${operand.full})`,
        level: UNARY,
      })),
      fc.tuple(fc.constantFrom("T", "T *", "struct s *", "int"), e).map(([type, operand]) => ({
        short: `(${type})${at(CAST, operand)}`,
        full: `((${type})${operand.full})`,
        level: CAST,
      })),
      e.map((operand) => ({
        // `sizeof (T)x` would be `sizeof(T)` with something behind it.
        short: `sizeof ${at(UNARY, operand)}`,
        full: `sizeof(${operand.full})`,
        level: UNARY,
      })),
      fc.tuple(fc.constantFrom("++", "--"), e).map(([operator, operand]) => ({
        short: `${operator} ${at(UNARY, operand)}`,
        full: `(${operator}${operand.full})`,
        level: UNARY,
      })),
      fc.tuple(fc.constantFrom("++", "--"), e).map(([operator, operand]) => ({
        short: `${at(POSTFIX, operand)} ${operator}`,
        full: `(${operand.full}${operator})`,
        level: POSTFIX,
      })),
      fc.tuple(e, e).map(([array, index]) => ({
        short: `${at(POSTFIX, array)}[${index.short}]`,
        full: `${array.full}[${index.full}]`,
        level: POSTFIX,
      })),
      fc.tuple(e, fc.array(e, { maxLength: 3 })).map(([callee, operands]) => ({
        short: `${at(POSTFIX, callee)}(${operands.map((operand) => at(ASSIGNMENT, operand)).join(", ")})`,
        full: `${callee.full}(${operands.map((operand) => operand.full).join(", ")})`,
        level: POSTFIX,
      })),
      fc.tuple(e, fc.constantFrom(".", "->")).map(([object, operator]) => ({
        short: `${at(POSTFIX, object)}${operator}T`,
        full: `${object.full}${operator}T`,
        level: POSTFIX,
      })),
      fc.tuple(e, e, e).map(([condition, yes, no]) => ({
        short: `${at(CONDITIONAL + 1, condition)} ? ${yes.short} : ${at(CONDITIONAL, no)}`,
        full: `(${condition.full} ? ${yes.full} : ${no.full})`,
        level: CONDITIONAL,
      })),
      fc.tuple(fc.constantFrom("=", "+=", "<<="), e, e).map(([operator, left, right]) => ({
        // Parentheses around the left side keep it assignable for the parser, which does not look at types.
        short: `(${left.short}) ${operator} ${at(ASSIGNMENT, right)}`,
        full: `(${left.full} ${operator} ${right.full})`,
        level: ASSIGNMENT,
      })),
      fc.tuple(e, e).map(([left, right]) => ({
        short: `${at(COMMA, left)}, ${at(ASSIGNMENT, right)}`,
        full: `(${left.full}, ${right.full})`,
        level: COMMA,
      })),
      e.map((inner) => ({ ...inner, short: `(${inner.short})`, level: PRIMARY })),
    ),
  };
});

it("reads every expression by C's precedence, with types among the names", () => {
  fc.assert(
    fc.property(expression, ({ short, full }) => {
      expect(printExpr(parseExpression("typedef int T; struct s { int T; } s; int x, y, *p;", short))).toBe(full);
    }),
    { numRuns: 1500, seed: 20 },
  );
});
