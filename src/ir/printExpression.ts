import { assertNever } from "../base/assertNever.ts";
import type { Expression } from "./expression.ts";
import { printType } from "./printType.ts";
import type { Program } from "./program.ts";

/** Binding strength in C; larger binds tighter. */
const precedence: Record<string, number> = {
  "*": 10,
  "/": 10,
  "%": 10,
  "+": 9,
  "-": 9,
  "<<": 8,
  ">>": 8,
  "<": 7,
  "<=": 7,
  ">": 7,
  ">=": 7,
  "==": 6,
  "!=": 6,
  "&": 5,
  "^": 4,
  "|": 3,
};
const unaryLevel = 11;
const postfixLevel = 12;
const atomLevel = 13;

/** In C syntax as a person would write it; implicit conversions are left out. */
export function printExpression(program: Program, expression: Expression): string {
  return print(program, expression, 0);
}

/** What an address points at: `a[i]`, `p->next`, `*p`, `x`. */
export function printPlace(program: Program, address: Expression): string {
  return place(program, address).text;
}

function print(program: Program, expression: Expression, level: number): string {
  switch (expression.kind) {
    case "constant":
      return printConstant(expression, level);
    case "variable":
      return program.variables[expression.variable]!.name;
    case "load": {
      const { text, level: own } = place(program, expression.address);
      return own < level ? `(${text})` : text;
    }
    case "addressOf":
      return printAddressOf(program, expression, level);
    case "offset": {
      if (expression.subscript) return wrap(`&${place(program, expression).text}`, unaryLevel, level);
      const text = `${print(program, expression.pointer, 9)} + ${print(program, expression.index, 10)}`;
      return wrap(text, 9, level);
    }
    case "fieldAddress":
      return wrap(`&${place(program, expression).text}`, unaryLevel, level);
    case "unary": {
      const sign = expression.operator === "negate" ? "-" : "~";
      const operand = print(program, expression.operand, unaryLevel);
      return wrap(operand.startsWith(sign) ? `${sign}(${operand})` : `${sign}${operand}`, unaryLevel, level);
    }
    case "binary":
    case "comparison": {
      const own = precedence[expression.operator]!;
      const left = print(program, expression.left, own);
      const right = print(program, expression.right, own + 1);
      return wrap(`${left} ${expression.operator} ${right}`, own, level);
    }
    case "pointerDifference": {
      const text = `${print(program, expression.left, 9)} - ${print(program, expression.right, 10)}`;
      return wrap(text, 9, level);
    }
    case "convert": {
      if (!expression.explicit) return print(program, expression.operand, level);
      return wrap(
        `(${printType(expression.type)})${print(program, expression.operand, unaryLevel)}`,
        unaryLevel,
        level,
      );
    }
    default:
      return assertNever(expression, "expression");
  }
}

function wrap(text: string, own: number, needed: number): string {
  return own < needed ? `(${text})` : text;
}

function printConstant(expression: Expression & { kind: "constant" }, level: number): string {
  if (expression.type.kind === "float") {
    const text = Number.isInteger(expression.value) ? `${expression.value}.0` : `${expression.value}`;
    return text.startsWith("-") ? wrap(text, unaryLevel, level) : text;
  }
  if (expression.type.kind === "pointer" && expression.value === 0n) return "NULL";
  const text = `${expression.value}`;
  return text.startsWith("-") ? wrap(text, unaryLevel, level) : text;
}

function printAddressOf(program: Program, expression: Expression & { kind: "addressOf" }, level: number): string {
  const object = expression.object;
  if (object.kind === "function") return program.functions[object.function]!.name;
  const variable = program.variables[object.variable]!;
  if (variable.literal !== undefined) return printStringLiteral(variable.literal);
  // An array's name already stands for its address.
  if (variable.type.kind === "array") return variable.name;
  return wrap(`&${variable.name}`, unaryLevel, level);
}

function place(program: Program, address: Expression): { text: string; level: number } {
  switch (address.kind) {
    case "addressOf": {
      if (address.object.kind === "variable") {
        const variable = program.variables[address.object.variable]!;
        if (variable.literal === undefined && variable.type.kind !== "array") {
          return { text: variable.name, level: atomLevel };
        }
      }
      return { text: `*${print(program, address, unaryLevel)}`, level: unaryLevel };
    }
    case "offset":
      if (!address.subscript) break;
      return {
        text: `${pointee(program, address.pointer)}[${print(program, address.index, 0)}]`,
        level: postfixLevel,
      };
    case "fieldAddress": {
      const base = stripConversions(address.pointer);
      if (isPlace(base)) return { text: `${place(program, base).text}.${address.field}`, level: postfixLevel };
      return { text: `${print(program, base, postfixLevel)}->${address.field}`, level: postfixLevel };
    }
    case "convert":
      if (!address.explicit) return place(program, address.operand);
      break;
    default:
      break;
  }
  return { text: `*${print(program, address, unaryLevel)}`, level: unaryLevel };
}

/** The base of a subscript: a nested place of array type (`m[i]`, `s.cells`) or a pointer value (`p`). */
function pointee(program: Program, pointer: Expression): string {
  const base = stripConversions(pointer);
  if (base.kind === "fieldAddress" || (base.kind === "offset" && base.subscript)) return place(program, base).text;
  return print(program, base, postfixLevel);
}

/** Is the address one of a named object or part of one (then `.` follows), rather than a pointer's value (`->`)? */
function isPlace(address: Expression): boolean {
  return (
    (address.kind === "addressOf" && address.object.kind === "variable") ||
    address.kind === "fieldAddress" ||
    (address.kind === "offset" && address.subscript)
  );
}

function stripConversions(expression: Expression): Expression {
  let result = expression;
  while (result.kind === "convert" && !result.explicit) result = result.operand;
  return result;
}

const escapes: Record<number, string> = { 9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\" };

function printStringLiteral(bytes: Uint8Array): string {
  let text = "";
  const end = bytes.length > 0 && bytes[bytes.length - 1] === 0 ? bytes.length - 1 : bytes.length;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i]!;
    text +=
      escapes[byte] ?? (byte < 32 || byte > 126 ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte));
  }
  return `"${text}"`;
}
