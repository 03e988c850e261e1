import type { Node } from "../recorder/syntax.ts";
import type { TransformMaker } from "../runners/runner.ts";
import { hashOf, keyOf, mostText } from "./functionKeys.ts";
import { readSites } from "./proposeChanges.ts";

/**
 * Marks the entry of each function: `tf$in(key)`, the file at its start: `tf$file(hash, path)`, and rounds of loops:
 * `tf$loop()`. Lines stay where they are.
 */
const make: TransformMaker = () => {
  return ({ code, file, isTest }) => {
    if (isTest || code.length >= mostText) return null;
    const read = readSites({ path: file, text: code });
    if (read === null) return null;
    const hash = hashOf(file);
    const inserted: { readonly at: number; readonly text: string }[] = [];
    for (const { node, start } of read.sites.functions) {
      const mark = `tf$in(${keyOf(hash, start)})`;
      if (node.type === "Program") {
        inserted.push({ at: behindDirectives(node, 0, code), text: `;tf$file(${hash},${JSON.stringify(file)});` });
      } else if (node.body.type === "BlockStatement") {
        inserted.push({ at: behindDirectives(node.body, node.body.start + 1, code), text: `;${mark};` });
      } else {
        inserted.push({ at: node.body.start, text: `(${mark},` }, { at: node.body.end, text: ")" });
      }
    }
    for (const { body } of read.sites.loops) {
      if (body.type === "BlockStatement") inserted.push({ at: body.start + 1, text: "tf$loop();" });
      else inserted.push({ at: body.start, text: "{tf$loop();" }, { at: body.end, text: "}" });
    }
    let text = "";
    let at = 0;
    for (const each of inserted.sort((a, b) => a.at - b.at)) {
      text += code.slice(at, each.at) + each.text;
      at = each.at;
    }
    return { code: text + code.slice(at), map: null };
  };
};

function behindDirectives(block: Node, start: number, code: string): number {
  const directives = (block.body as readonly Node[]).filter((each) => each.directive != null);
  const hashbang = start === 0 ? (/^#!.*\n/.exec(code)?.[0].length ?? 0) : start;
  return directives.at(-1)?.end ?? hashbang;
}

export default make;
