import { nth } from "../base/checked.ts";
import { controlFlowOf } from "./controlFlow.ts";
import { loopsOf } from "./loops.ts";
import { printOperation } from "./printOperation.ts";
import type { Function, Program } from "./program.ts";
import { printType } from "./type.ts";

/** The whole model as text, for `--dump ir` and for tests: one line per edge, loop headers marked. */
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
