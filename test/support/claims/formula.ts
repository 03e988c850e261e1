/** A formula as reports print it: C's operators over mathematical integers. */
export type Formula =
  | { readonly kind: "number"; readonly value: bigint }
  | { readonly kind: "truth"; readonly value: boolean }
  /** `n`, `input 3`, `main::n`. */
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "member"; readonly object: Formula; readonly field: string; readonly arrow: boolean }
  | { readonly kind: "cell"; readonly array: Formula; readonly index: Formula }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: Formula }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Formula; readonly right: Formula }
  | { readonly kind: "cast"; readonly bits: number; readonly signed: boolean; readonly operand: Formula }
  | { readonly kind: "call"; readonly name: string; readonly arguments: readonly Formula[] }
  | {
      readonly kind: "conditional";
      readonly condition: Formula;
      readonly whenTrue: Formula;
      readonly whenFalse: Formula;
    };

const levels: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

const token =
  /\s*(input \d+|[A-Za-z_$][\w$]*(?:::[A-Za-z_$][\w$]*)?|\d+|->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:()[\],.])/y;

/** Reads a formula; null for what is no formula in this syntax, such as one that was cut short. */
export function parseFormula(text: string): Formula | null {
  const tokens = tokensOf(text);
  if (tokens === null) return null;
  const parser = createParser(tokens);
  const formula = parser.conditional();
  return parser.atEnd() ? formula : null;
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < text.trimEnd().length; at = token.lastIndex) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) return null;
    tokens.push(match[1]!);
  }
  return tokens;
}

/** By descent; every part gives null as soon as the tokens do not fit. */
function createParser(tokens: readonly string[]) {
  let at = 0;
  const accept = (text: string) => tokens[at] === text && at++ >= 0;
  return { conditional, atEnd: () => at === tokens.length };

  function conditional(): Formula | null {
    const condition = binary(0);
    if (condition === null || !accept("?")) return condition;
    const whenTrue = conditional();
    if (whenTrue === null || !accept(":")) return null;
    const whenFalse = conditional();
    return whenFalse && { kind: "conditional", condition, whenTrue, whenFalse };
  }

  function binary(level: number): Formula | null {
    const operators = levels[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    while (left !== null && operators.includes(tokens[at] ?? "")) {
      const operator = tokens[at++]!;
      const right = binary(level + 1);
      left = right && { kind: "binary", operator, left, right };
    }
    return left;
  }

  function unary(): Formula | null {
    const operator = tokens[at] ?? "";
    if (/^[-!~*&]$/.test(operator)) {
      at++;
      const operand = unary();
      return operand && { kind: "unary", operator, operand };
    }
    const type = operator === "(" ? /^(u?)int(\d+)_t$/.exec(tokens[at + 1] ?? "") : null;
    if (type === null) return postfix();
    at += 3;
    const operand = unary();
    return operand && { kind: "cast", bits: Number(type[2]), signed: type[1] === "", operand };
  }

  function postfix(): Formula | null {
    let formula = primary();
    for (;;) {
      if (formula === null) return null;
      if (accept("[")) {
        const index = conditional();
        formula = index !== null && accept("]") ? { kind: "cell", array: formula, index } : null;
      } else if (tokens[at] === "." || tokens[at] === "->") {
        const arrow = tokens[at++] === "->";
        formula = { kind: "member", object: formula, field: tokens[at++] ?? "", arrow };
      } else return formula;
    }
  }

  function primary(): Formula | null {
    const text = tokens[at++] ?? "";
    if (text === "(") {
      const inner = conditional();
      return accept(")") ? inner : null;
    }
    if (/^\d/.test(text)) return { kind: "number", value: BigInt(text) };
    if (text === "true" || text === "false") return { kind: "truth", value: text === "true" };
    if (!/^[\w$]/.test(text)) return null;
    return accept("(") ? call(text) : { kind: "name", name: text };
  }

  function call(name: string): Formula | null {
    const args: Formula[] = [];
    if (accept(")")) return { kind: "call", name, arguments: args };
    for (;;) {
      const argument = conditional();
      if (argument === null) return null;
      args.push(argument);
      if (accept(")")) return { kind: "call", name, arguments: args };
      if (!accept(",")) return null;
    }
  }
}

/** All parts of a formula, itself included. */
export function partsOf(formula: Formula): readonly Formula[] {
  return [formula, ...childrenOf(formula).flatMap(partsOf)];
}

function childrenOf(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case "number":
    case "truth":
    case "name":
      return [];
    case "member":
      return [formula.object];
    case "cell":
      return [formula.array, formula.index];
    case "unary":
    case "cast":
      return [formula.operand];
    case "binary":
      return [formula.left, formula.right];
    case "call":
      return formula.arguments;
    case "conditional":
      return [formula.condition, formula.whenTrue, formula.whenFalse];
  }
}
