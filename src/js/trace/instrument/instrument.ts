import { languageOf, type Node, parseSource, type SourceKind } from "../../recorder/syntax.ts";
import { runtimeName } from "../runtimeName.ts";
import { declaredNames, Rewriter, type TraceSite, varNames } from "./rewriter.ts";
import { rewriteList } from "./statements.ts";

export type TracedSource =
  | { readonly kind: "instrumented"; readonly code: string; readonly sites: readonly TraceSite[] }
  /** The file is loaded unchanged. */
  | { readonly kind: "unchanged"; readonly reason: string };

/**
 * Rewrites a source so that its run builds the graph of who produced what. `firstSite` is the number of its first
 * site. The result has the same lines as the source, and it does the same.
 */
export function instrumentForTrace(path: string, text: string, kind: SourceKind, firstSite: number): TracedSource {
  if (languageOf(path) === null) return { kind: "unchanged", reason: "it is neither JavaScript nor TypeScript" };
  const parsed = parseSource(path, text, kind);
  if (parsed.kind === "refused") return { kind: "unchanged", reason: parsed.message };
  const program = parsed.program as Node & { readonly body: readonly Node[] };
  const isStrict = kind === "module" || program.body.some(({ directive }) => directive === "use strict");
  const to = new Rewriter(text, firstSite, isStrict);
  const list = program.body;
  const names = new Map([...varNames(list), ...declaredNames(list)]);
  const { result, temps } = to.inFunction("(module)", () => to.inScope(names, () => rewriteList(to, list)));
  const first = list.find(({ directive }) => directive == null);
  if (first === undefined) return { kind: "unchanged", reason: "it has no statements" };
  const head = `var ${[`${to.frame}=${runtimeName}.module(${firstSite},(value,key)=>value[key])`, ...temps].join(",")};`;
  const code = to.splice(0, text.length, [[first.start, first.start, head], ...result]);
  const check = parseSource(path, code, kind);
  if (check.kind === "refused")
    return { kind: "unchanged", reason: `its instrumented form is not valid: ${check.message}` };
  return { kind: "instrumented", code, sites: to.sites };
}
