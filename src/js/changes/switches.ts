import { parseSync } from "oxc-parser";
import type { Node } from "../recorder/syntax.ts";
import { languageOf } from "../recorder/syntax.ts";
import type { Proposal } from "./draft.ts";
import type { SourceToChange } from "./proposeChanges.ts";

/**
 * The names that switched sources call:
 * `tf$.on` is the number of the change that is on, `tf$at(from, to)` tells whether it is one of these and notes that the
 * place was reached, `tf$step()` counts calls and rounds of loops.
 */

/** Proposals by their number; the number of the first is given. */
export type SwitchedFile = {
  readonly path: string;
  readonly text: string;
  readonly switches: readonly Switch[];
};

export type Switch = { readonly number: number; readonly proposal: Proposal };

/** Text around a part of the source. Parts are nested. */
type Wrapper = { readonly start: number; readonly end: number; readonly before: string; readonly after: string };

/** Compiles changes into a source, so that each can be turned on without loading it again. */
export function compileSwitches(file: SourceToChange, proposals: readonly Proposal[], first: number): SwitchedFile {
  const valid = nested(
    parsing(
      file.path,
      proposals.filter((each) => !hasWrongSuper(file.text, each)),
    ),
  );
  const groups = new Map<string, Proposal[]>();
  for (const proposal of valid) {
    const key = `${proposal.form} ${proposal.start} ${proposal.end}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(proposal);
  }
  const switches: Switch[] = [];
  const wrappers: Wrapper[] = file.sites.bodies.map((body) => countSteps(file, body));
  for (const form of ["insertion", "statement", "expression"] as const) {
    for (const group of groups.values()) {
      if (group[0]?.form !== form) continue;
      const numbered = group.map((proposal, i) => ({ number: first + switches.length + i, proposal }));
      switches.push(...numbered);
      wrappers.push(wrapperOf(numbered));
    }
  }
  const text = wrap(file.text, [...wrappers, ...separators(file, wrappers)]);
  const isValid = parses(file.path, text);
  return { path: file.path, text: isValid ? text : file.text, switches: isValid ? switches : [] };
}

/** A statement that begins with a parenthesis would go on with the one before it, if that has no semicolon. */
function separators({ sites }: SourceToChange, wrappers: readonly Wrapper[]): readonly Wrapper[] {
  const wrapped = new Set(wrappers.flatMap(({ start, before }) => (before.startsWith("(") ? [start] : [])));
  return sites.statements
    .filter(({ node, inBlock }) => inBlock && wrapped.has(node.start))
    .map(({ node: { start } }) => ({ start, end: start, before: ";", after: "" }));
}

function wrapperOf(group: readonly Switch[]): Wrapper {
  const [from, to] = [group[0], group.at(-1)];
  if (from === undefined || to === undefined) return { start: 0, end: 0, before: "", after: "" };
  const { start, end, form } = from.proposal;
  const asked = `tf$at(${from.number},${to.number})`;
  if (form === "expression") {
    const choices = group.map(({ number, proposal: { text } }, i) =>
      i < group.length - 1 ? `tf$.on===${number}?(${text}):` : `(${text})`,
    );
    return { start, end, before: `(${asked}?${choices.join("")}:(`, after: "))" };
  }
  const choices = group.map(({ number, proposal: { text } }) => `if(tf$.on===${number}){${text}}`).join("else ");
  if (form === "insertion") return { start, end, before: `;if(${asked}){${choices}}`, after: "" };
  return { start, end, before: `{if(${asked}){${choices}}else{`, after: "}}" };
}

function countSteps({ text }: SourceToChange, body: Node): Wrapper {
  const { start, end } = body;
  if (body.type !== "BlockStatement") {
    const isStatement = /Statement$/.test(body.type);
    return {
      start,
      end,
      ...(isStatement ? { before: "{tf$step();", after: "}" } : { before: "(tf$step(),", after: ")" }),
    };
  }
  const directives = (body.body as readonly Node[]).filter((each) => each.directive != null);
  const at = directives.at(-1)?.end ?? start + 1;
  return { start: at, end: at, before: text.slice(at - 1, at) === "{" ? "tf$step();" : ";tf$step();", after: "" };
}

/** Puts wrappers around their parts. Of wrappers of the same part the first is outside. */
function wrap(text: string, wrappers: readonly Wrapper[]): string {
  const ordered = wrappers.toSorted(
    (a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start) || b.end - a.end,
  );
  const open: Wrapper[] = [];
  let result = "";
  let at = 0;
  const closeUntil = (offset: number): void => {
    for (let last = open.at(-1); last !== undefined && last.end <= offset; last = open.at(-1)) {
      result += text.slice(at, last.end) + last.after;
      at = last.end;
      open.pop();
    }
  };
  for (const wrapper of ordered) {
    closeUntil(wrapper.start);
    result += text.slice(at, wrapper.start) + wrapper.before;
    at = wrapper.start;
    if (wrapper.end > wrapper.start) open.push(wrapper);
  }
  closeUntil(text.length);
  return result + text.slice(at);
}

/** Without those whose part overlaps that of an earlier one, such as two swaps of three statements. */
function nested(proposals: readonly Proposal[]): readonly Proposal[] {
  const pairs: Proposal[] = [];
  return proposals.filter((proposal) => {
    if (!/^(swappedStatements|addedElse)$/.test(proposal.change.kind)) return true;
    const overlaps = (other: Proposal) =>
      (other.start < proposal.start && proposal.start < other.end && other.end < proposal.end) ||
      (proposal.start < other.start && other.start < proposal.end && proposal.end < other.end);
    if (pairs.some(overlaps)) return false;
    pairs.push(proposal);
    return true;
  });
}

/** The parser does not check that `super(…)` is in a constructor and `super.name` in a method, as in the source. */
function hasWrongSuper(source: string, { text, start, end }: Proposal): boolean {
  const part = source.slice(start, end);
  const brings = (form: RegExp) => form.test(text) && !form.test(part);
  return part === "super" || [/\bsuper\s*\(/, /\bsuper\s*[.[]/, /\bsuper\b(?!\s*[.([])/].some(brings);
}

/** Proposals whose text parses in their place; many at once, because nearly all do. */
function parsing(path: string, proposals: readonly Proposal[]): readonly Proposal[] {
  if (proposals.length === 0) return [];
  if (parses(path, proposals.map(alone).join("\n"))) return proposals;
  if (proposals.length === 1) return [];
  const middle = proposals.length >> 1;
  return [...parsing(path, proposals.slice(0, middle)), ...parsing(path, proposals.slice(middle))];
}

/** The text where everything is allowed that a function may contain. */
function alone({ form, text }: Proposal): string {
  const inside = form === "expression" ? `x=(${text});` : `{${text}}`;
  return `class A extends B{async*f(){for(;;){${inside}}}}`.replace("class A", `x=class`);
}

function parses(path: string, text: string): boolean {
  const lang = languageOf(path) ?? "js";
  return ["module", "commonjs"].some((kind) => {
    const { errors } = parseSync(path, text, {
      lang,
      sourceType: kind as "module" | "commonjs",
      preserveParens: false,
    });
    return !errors.some(({ severity }) => severity === "Error");
  });
}
