import { nth } from "../base/checked.ts";
import { assertNever } from "../base/errors.ts";
import { controlFlowOf } from "./controlFlow.ts";
import type { BinaryOperator, ComparisonOperator, Expression } from "./expression.ts";
import { languageOf } from "./language.ts";
import { loopsOf } from "./loops.ts";
import { maxNamingDepth, modelNaming, type Naming, sourceNaming } from "./naming.ts";
import type { Call, CallLibrary, Case, Fail, Operation } from "./operation.ts";
import { comparisonOperators, isEquality, precedenceOf, precedences } from "./operators.ts";
import type { Function, Program, VariableId } from "./program.ts";
import { printType } from "./type.ts";

export type Printed = { readonly text: string; readonly precedence: number };

/** One operation: `x = x + 1`, `a[i] = 0`, `[i < n]`, `return x`. */
export function printOperation(program: Program, operation: Operation, naming = modelNaming(program)): string {
  return createPrinter(program, naming).operation(operation);
}

/** In the syntax of the program's language, without implicit conversions. */
export function printExpression(program: Program, expression: Expression, naming = modelNaming(program)): string {
  return createPrinter(program, naming).expression(expression, 0);
}

export function printCondition(program: Program, condition: Expression, negated: boolean, naming?: Naming): string {
  return createPrinter(program, naming ?? modelNaming(program)).condition(condition, negated);
}

/** The condition of a switch exit. */
export function printCase(program: Program, operation: Case, naming = modelNaming(program)): string {
  return createPrinter(program, naming).caseText(operation);
}

export function sourceOfExpression(program: Program, expression: Expression): string {
  return printExpression(program, expression, sourceNaming(program));
}

/** The place that an address points to, in source words: `a[i]`, `p->next`, `*p`, `x`. */
export function sourceOfPlace(program: Program, address: Expression): string {
  return createPrinter(program, sourceNaming(program)).place(address).text;
}

export function sourceOfVariable(program: Program, variable: VariableId): Printed {
  return createPrinter(program, sourceNaming(program)).variable(variable);
}

/** An operator of the program model as the program's language writes it. */
export function spelledOperator(program: Program, operator: string): string {
  return isEquality(operator) ? languageOf(program).equality[operator] : operator;
}

function createPrinter(program: Program, naming: Naming) {
  let depth = 0;
  return { operation, expression: print, condition, caseText, place, variable };

  function print(expression: Expression, level: number): string {
    return parenthesised(printed(expression), level);
  }

  function printed(expression: Expression): Printed {
    switch (expression.kind) {
      case "constant":
        return constant(expression);
      case "variable":
        return variable(expression.variable);
      case "load":
        return place(expression.address);
      case "addressOf":
        return addressOf(expression);
      case "offset":
        if (expression.subscript) return unary("&", place(expression).text);
        return binary(expression.pointer, "+", expression.index);
      case "fieldAddress":
        return unary("&", place(expression).text);
      case "unary": {
        const sign = expression.operator === "negate" ? "-" : "~";
        const operand = print(expression.operand, precedences.unary);
        return unary(sign, operand.startsWith(sign) ? `(${operand})` : operand);
      }
      case "binary":
        return binary(expression.left, expression.operator, expression.right);
      case "comparison":
        return binary(expression.left, expression.operator, expression.right);
      case "pointerDifference":
        return binary(expression.left, "-", expression.right);
      case "convert":
        if (!expression.explicit) return printed(expression.operand);
        return unary(`(${printType(expression.type)})`, print(expression.operand, precedences.unary));
      default:
        return assertNever(expression, "expression");
    }
  }

  function variable(id: VariableId): Printed {
    const meaning = naming.meaning(id);
    if (depth >= maxNamingDepth) return primary(nth(program.variables, id).name);
    depth++;
    try {
      switch (meaning.kind) {
        case "expression":
          return printed(meaning.expression);
        case "call":
          return primary(call(meaning.operation));
        case "choice":
          return primary(`(${meaning.text})`);
        case "input":
        case "name":
        case "unnamed":
          return primary(meaning.text);
        default:
          return assertNever(meaning, "meaning");
      }
    } finally {
      depth--;
    }
  }

  function binary(left: Expression, operator: BinaryOperator | ComparisonOperator, right: Expression): Printed {
    const precedence = precedenceOf(operator);
    const sign = spelledOperator(program, operator);
    return { text: `${print(left, precedence)} ${sign} ${print(right, precedence + 1)}`, precedence };
  }

  function constant({ type, value }: Expression & { kind: "constant" }): Printed {
    const precedence = value < 0 ? precedences.unary : precedences.primary;
    if (type.kind === "float") return { text: Number.isInteger(value) ? `${value}.0` : `${value}`, precedence };
    if (type.kind === "pointer" && value === 0n) return primary("NULL");
    return { text: `${value}`, precedence };
  }

  function addressOf({ object }: Expression & { kind: "addressOf" }): Printed {
    if (object.kind === "function") return primary(nth(program.functions, object.function).name);
    const { literal, type, name } = nth(program.variables, object.variable);
    if (literal !== undefined) return primary(printStringLiteral(literal));
    return type.kind === "array" ? primary(name) : unary("&", name);
  }

  function place(address: Expression): Printed {
    switch (address.kind) {
      case "addressOf": {
        if (address.object.kind !== "variable") break;
        const { literal, type, name } = nth(program.variables, address.object.variable);
        if (literal === undefined && type.kind !== "array") return primary(name);
        break;
      }
      case "offset": {
        if (!address.subscript) break;
        const array = ownerOfRow(program, address.pointer);
        const base = array === null ? pointee(address.pointer) : print(array, precedences.primary);
        return primary(`${base}[${print(address.index, 0)}]`);
      }
      case "fieldAddress": {
        const object = ownerOfRow(program, address.pointer);
        if (object !== null) return primary(`${print(object, precedences.primary)}.${address.field}`);
        const base = stripConversions(address.pointer);
        if (isPlace(base)) return primary(`${place(base).text}.${address.field}`);
        return primary(`${print(base, precedences.primary)}->${address.field}`);
      }
      case "convert":
        if (!address.explicit) return place(address.operand);
        break;
      default:
        break;
    }
    return unary("*", print(address, precedences.unary));
  }

  /** The base of a subscript: a nested place of array type (`m[i]`, `s.cells`) or a pointer value (`p`). */
  function pointee(pointer: Expression): string {
    const base = stripConversions(pointer);
    if (base.kind === "fieldAddress" || (base.kind === "offset" && base.subscript)) return place(base).text;
    return print(base, precedences.primary);
  }

  function operation(given: Operation): string {
    switch (given.kind) {
      case "assign":
        return `${result(given.target, given.value)}${print(given.value, 0)}`;
      case "store":
        return `${place(given.address).text} = ${print(given.value, 0)}`;
      case "copy":
        return `${place(given.to).text} = ${place(given.from).text}`;
      case "assume":
        return `[${condition(given.condition, given.negated)}]`;
      case "case":
        return `[${caseText(given)}]`;
      case "declare": {
        const { type, name } = nth(program.variables, given.variable);
        if (given.variableLength === undefined) return printType(type, name);
        return printType(
          type.kind === "array" ? type.element : type,
          `${name}[${print(given.variableLength.length, 0)}]`,
        );
      }
      case "input":
        return `${result(given.target, null)}${given.source}()`;
      case "call":
      case "callLibrary":
        return `${given.target === null ? "" : result(given.target, null)}${call(given)}`;
      case "return":
        return given.value === null ? "return" : `return ${print(given.value, 0)}`;
      case "fail":
        return failText(given);
      case "skip":
        return "skip";
      default:
        return assertNever(given, "operation");
    }
  }

  /** `x = `; empty for a temporary that is named after its value. */
  function result(target: VariableId, value: Expression | null): string {
    const meaning = naming.meaning(target);
    const isNamed = meaning.kind === "name" || (meaning.kind === "choice" && value?.kind === "constant");
    return isNamed || nth(program.variables, target).kind !== "temporary" ? `${variable(target).text} = ` : "";
  }

  function call({ arguments: given, ...operation }: Call | CallLibrary): string {
    return `${calleeText(operation)}(${given.map((argument) => print(argument, 0)).join(", ")})`;
  }

  function calleeText(operation: Pick<CallLibrary, "kind" | "name"> | Pick<Call, "kind" | "callee">): string {
    if (operation.kind === "callLibrary") return operation.name;
    const { callee } = operation;
    return callee.kind === "direct" ? nth(program.functions, callee.function).name : `(*${print(callee.pointer, 0)})`;
  }

  function condition(given: Expression, negated: boolean): string {
    if (!negated) return print(given, 0);
    if (given.kind === "comparison" && (given.left.type.kind !== "float" || isEquality(given.operator))) {
      return binary(given.left, comparisonOperators[given.operator].opposite, given.right).text;
    }
    return `!${print(given, precedences.primary)}`;
  }

  function caseText({ selector, values, others }: Case): string {
    const intervals = values ?? others;
    const shown = intervals.slice(0, 4).map(([low, high]) => (low === high ? `${low}` : `${low} ... ${high}`));
    if (intervals.length > 4) shown.push(`… ${intervals.length - 4} more`);
    if (shown.length === 0) return "default";
    return `${print(selector, 0)} ${values === null ? "!=" : "=="} ${shown.join(values === null ? ", " : " or ")}`;
  }

  function failText({ reason, text, code }: Fail): string {
    switch (reason) {
      case "assertion":
        return `assert(${text}) fails`;
      case "error-location":
        return `${text} reached`;
      case "abort":
        return `${text}()`;
      case "assumption":
        return `assumption ${text} does not hold`;
      case "unsupported":
        return `not supported: ${text}`;
      case "exit":
        return `exit(${code === null ? "" : print(code, 0)})`;
      default:
        return assertNever(reason, "reason");
    }
  }
}

/** The object that owns the table row at an address, if the program keeps fields and elements in tables. */
function ownerOfRow(program: Program, address: Expression): Expression | null {
  if (address.kind !== "offset" || address.subscript || address.pointer.kind !== "addressOf") return null;
  const { object } = address.pointer;
  if (object.kind !== "variable" || nth(program.variables, object.variable).rows === undefined) return null;
  const { index } = address;
  const row = index.kind === "binary" && index.operator === "*" ? index.left : index;
  return row.kind === "binary" && row.operator === "-" ? row.left : null;
}

function primary(text: string): Printed {
  return { text, precedence: precedences.primary };
}

function unary(sign: string, operand: string): Printed {
  return { text: `${sign}${operand}`, precedence: precedences.unary };
}

/** Adds parentheses if the text binds less tightly than needed. */
export function parenthesised({ text, precedence }: Printed, needed: number): string {
  return precedence < needed ? `(${text})` : text;
}

/** True for the address of a named object or part of one (`.` follows), rather than a pointer's value (`->`). */
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

/** The whole model as text, for `--dump ir` and tests: one line per edge, loop headers marked. */
export function printProgram(program: Program): string {
  const lines = [`// ${program.dataModel}, entry ${nth(program.functions, program.entry).name}`];
  for (const variable of program.variables) {
    if (variable.function !== null || variable.literal !== undefined) continue;
    lines.push(`${printType(variable.type, variable.name)};  // ${variable.storage}`);
  }
  for (const fn of program.functions) lines.push("", ...printFunction(program, fn));
  return `${lines.join("\n")}\n`;
}

function printFunction(program: Program, fn: Function): string[] {
  const forest = loopsOf(fn);
  const { reversePostorder, outgoing } = controlFlowOf(fn);
  const parameters = fn.parameters.map((id) =>
    printType(nth(program.variables, id).type, nth(program.variables, id).name),
  );
  const lines = [`${printType(fn.type.result, `${fn.name}(${parameters.join(", ")})`)} {`];
  for (const id of fn.locals) {
    const variable = nth(program.variables, id);
    lines.push(`  ${printType(variable.type, variable.name)};  // ${variable.storage}`);
  }
  for (const location of reversePostorder) {
    const loop = forest.loopWithHeader(location);
    if (loop !== null) lines.push(`  // loop ${loop.index}, depth ${loop.depth}, ${loop.exits.length} exits`);
    for (const edge of nth(outgoing, location)) {
      const place = `${edge.range.line}:${edge.range.column}`;
      lines.push(`  L${edge.from} -> L${edge.to}: ${printOperation(program, edge.operation)}  // ${place}`);
    }
  }
  for (const edge of forest.irreducible) lines.push(`  // irreducible: L${edge.from} -> L${edge.to} enters a cycle`);
  lines.push("}");
  return lines;
}
