import { nth } from "../../base/checked.ts";
import { withoutTypes } from "../recorder/syntax.ts";
import { type Draft, others, put } from "./draft.ts";
import type { Pool } from "./pool.ts";
import { type ExpressionSite, localNames } from "./sites.ts";
import { similarNames, wrap } from "./values.ts";

/** Methods that are taken for one another. */
const families: readonly (readonly string[])[] = [
  ...[
    ["slice", "substring", "substr", "splice"],
    ["indexOf", "lastIndexOf"],
    ["startsWith", "endsWith", "includes"],
  ],
  ...[
    ["toUpperCase", "toLowerCase"],
    ["floor", "ceil", "round", "trunc"],
    ["min", "max"],
    ["push", "unshift"],
  ],
  ...[
    ["pop", "shift"],
    ["some", "every"],
    ["trim", "trimStart", "trimEnd"],
    ["keys", "values", "entries"],
  ],
  ...[
    ["find", "findLast", "findIndex", "filter"],
    ["findIndex", "findLastIndex"],
    ["padStart", "padEnd"],
    ["has", "get"],
  ],
  ...[
    ["add", "delete"],
    ["isInteger", "isFinite", "isSafeInteger"],
    ["map", "flatMap", "filter", "forEach"],
  ],
  ...[
    ["getMonth", "getUTCMonth"],
    ["getDate", "getDay", "getUTCDate"],
    ["getDay", "getUTCDay"],
  ],
  ...[
    ["getHours", "getUTCHours"],
    ["getMinutes", "getUTCMinutes"],
    ["getFullYear", "getUTCFullYear"],
  ],
  ...[
    ["setDate", "setUTCDate"],
    ["setMonth", "setUTCMonth"],
    ["setHours", "setUTCHours"],
  ],
  ...[
    ["replace", "replaceAll"],
    ["charAt", "charCodeAt", "at"],
    ["charCodeAt", "codePointAt"],
  ],
  ...[
    ["parseInt", "parseFloat"],
    ["getOwnPropertyNames", "keys"],
    ["reduce", "reduceRight"],
    ["test", "exec"],
  ],
  ...[
    ["all", "allSettled", "any", "race"],
    ["resolve", "reject"],
    ["concat", "push"],
    ["log2", "log10", "log"],
  ],
];

function siblings(name: string): readonly string[] {
  return others(families.filter((family) => family.includes(name)).flat(), name, 6);
}

const most = 4;

export function proposeCalls(draft: Draft, site: ExpressionSite, pool: Pool): void {
  const { node, role, scope } = site;
  const isNew = node.type === "NewExpression";
  if ((node.type !== "CallExpression" && !isNew) || node.callee.type === "Super" || node.optional) return;
  const callee = withoutTypes(node.callee);
  const parts = node.arguments;
  const isMember = callee.type === "MemberExpression" && callee.object.type !== "Super";
  const isNamed = isMember && !callee.computed && callee.property.type === "Identifier";
  const at = isMember ? callee.property.start : node.start;
  const name = isNamed ? callee.property.name : callee.type === "Identifier" ? callee.name : "";
  for (let i = 0; i + 1 < parts.length; i++) {
    const [a, b] = [nth(parts, i), nth(parts, i + 1)];
    draft.change("swappedArguments", node, [
      { start: a.start, end: a.end, text: draft.text(b) },
      { start: b.start, end: b.end, text: draft.text(a) },
    ]);
  }
  for (const [i, part] of parts.slice(0, most).entries()) {
    const next = parts[i + 1];
    const [start, end] = next !== undefined ? [part.start, next.start] : [parts[i - 1]?.end ?? part.start, part.end];
    draft.change("droppedArgument", node, [{ start, end, text: "" }], part.start);
  }
  if (parts.length < most) {
    const used = new Set(parts.map(draft.text));
    const names = localNames(scope, node.start)
      .filter((each) => !used.has(each.name))
      .map((each) => each.name);
    const last = parts.at(-1);
    const end = last?.end ?? node.end - 1;
    const more = [...names.slice(0, most), "true", "1", ...(/^(slice|substring|splice)$/.test(name) ? ["-1"] : [])];
    for (const text of more)
      draft.change("addedArgument", node, [{ start: end, end, text: last === undefined ? text : `, ${text}` }], at);
  }
  if (/^(sort|toSorted)$/.test(name)) proposeComparators(draft, site);
  if (isNamed) {
    const rename = (other: string) => [{ start: callee.property.start, end: callee.property.end, text: other }];
    for (const other of siblings(name)) draft.change("siblingMethod", node, rename(other));
    for (const other of others(pool.propertiesOf(draft.text(callee.object)), name, most))
      draft.change("otherFunction", node, rename(other));
    const object = draft.text(callee.object);
    if (role !== "discarded" && !/^(Math|Object|Array|Number|String|JSON|Date|Reflect|Symbol|Promise)$/.test(object))
      put(draft, "droppedCall", site, draft.operand(callee.object), at);
  } else if (callee.type === "Identifier") {
    const local = localNames(scope, node.start).filter(({ kind }) => kind === "function" || kind === "parameter");
    const names = local.some((each) => each.name === name) ? local.map((each) => each.name) : similarNames(site, name);
    for (const other of [...siblings(name), ...others(names, name, most)])
      draft.change("otherFunction", node, [{ start: callee.start, end: callee.end, text: other }]);
  }
  if (role === "discarded") return;
  const first = parts[0];
  if (first !== undefined && first.type !== "SpreadElement" && !isNew) {
    for (const part of parts.slice(0, 2))
      if (part.type !== "SpreadElement") put(draft, "droppedCall", site, draft.text(part), at);
  }
  if (role === "truth" || role === "condition" || role === "returned")
    put(draft, "negatedCondition", site, `!${draft.text(node)}`, at);
  if (role === "object" || role === "iterated" || role === "truth" || role === "condition") return;
  for (const by of ["+ 1", "- 1"]) put(draft, "valueByOne", site, `${draft.text(node)} ${by}`, at);
  wrap(draft, site, pool, draft.text(node));
}

function proposeComparators(draft: Draft, { node }: ExpressionSite): void {
  const [comparator] = node.arguments;
  if (comparator === undefined) {
    for (const text of ["(a, b) => a - b", "(a, b) => b - a"])
      draft.change("comparator", node, [{ start: node.end - 1, end: node.end - 1, text }]);
    return;
  }
  draft.change("comparator", node, [{ start: comparator.start, end: comparator.end, text: "" }]);
  if (comparator.type !== "ArrowFunctionExpression" || comparator.params.length !== 2) return;
  const [a, b] = [nth(comparator.params, 0), nth(comparator.params, 1)];
  draft.change("comparator", node, [
    { start: a.start, end: a.end, text: draft.text(b) },
    { start: b.start, end: b.end, text: draft.text(a) },
  ]);
}
