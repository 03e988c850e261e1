import type { LoggedCall, Recorded } from "../recorder/readLog.ts";
import { children, isFunction, type Node } from "../recorder/syntax.ts";
import type { RecordedFile, RecordedFunction } from "./recordedFile.ts";

/** One execution of a statement or of a condition, as far as the log shows it. */
export type StatementInstance = {
  /** Position in time: when it began, and when the last of its calls was over. */
  readonly order: number;
  end: number;
  readonly call: LoggedCall;
  readonly function: RecordedFunction;
  /** A statement, the condition of one, the body of an arrow, or the function itself for what it began with. */
  readonly node: Node;
  readonly values: { readonly node: Node; readonly value: Recorded }[];
  /** Calls that it made, in order. */
  readonly calls: LoggedCall[];
};

/** The calls of a test as the log has them. Nothing is followed, so nothing can be lost. */
export type StatementInstances = {
  readonly all: readonly StatementInstance[];
  /** The items of a call, in order. */
  of(call: LoggedCall): readonly StatementInstance[];
  /** The one that made a call; null for a call that nobody made. */
  callerOf(call: LoggedCall): StatementInstance | null;
};

export function instancesOf(files: readonly RecordedFile[], calls: readonly LoggedCall[]): StatementInstances {
  const byNumber = new Map(files.map((file) => [file.number, file]));
  const all: StatementInstance[] = [];
  const ofCall = new Map<LoggedCall, StatementInstance[]>();
  const callers = new Map<LoggedCall, StatementInstance>();

  function visit(call: LoggedCall): void {
    const fn = byNumber.get(call.file)?.functions.get(call.enter);
    if (fn === undefined) return;
    const own: StatementInstance[] = [];
    ofCall.set(call, own);
    let last: StatementInstance | null = null;
    let pending: LoggedCall[] = [];
    const add = (node: Node): StatementInstance => {
      const instance = { order: all.length, end: all.length, call, function: fn, node, values: [], calls: [] };
      all.push(instance);
      own.push(instance);
      return instance;
    };
    const attach = (instance: StatementInstance): void => {
      instance.calls.push(...pending);
      for (const one of pending) callers.set(one, instance);
      pending = [];
    };
    for (const item of call.items) {
      if (item.kind === "call") {
        pending.push(item.call);
        visit(item.call);
      } else if (item.kind === "value") {
        const site = fn.file.table.sites[item.site];
        if (site === undefined) continue;
        const node = unitOf(fn, site.node);
        // The same site once more: the statement is executed again.
        if (last === null || last.node !== node || last.values.some((one) => one.node === site.node)) last = add(node);
        last.values.push({ node: site.node, value: item.value });
        last.end = all.length;
        attach(last);
      }
    }
    if (pending.length === 0) return;
    last ??= add(fn.node);
    last.end = all.length;
    attach(last);
  }

  calls.forEach(visit);
  return {
    all,
    of: (call) => ofCall.get(call) ?? [],
    callerOf: (call) => callers.get(call) ?? null,
  };
}

const parents = new WeakMap<Node, Map<Node, Node>>();

export function parentsOf({ program }: RecordedFile): ReadonlyMap<Node, Node> {
  let known = parents.get(program);
  if (known === undefined) {
    known = new Map();
    const visit = (node: Node): void => {
      for (const child of children(node)) {
        known!.set(child, node);
        visit(child);
      }
    };
    visit(program);
    parents.set(program, known);
  }
  return known;
}

const conditional = new Set(["IfStatement", "WhileStatement", "DoWhileStatement", "ForStatement"]);

/** The statement or condition that a node is a part of, inside of its function. */
export function unitOf(fn: RecordedFunction, node: Node): Node {
  const known = parentsOf(fn.file);
  for (let at = node; at !== fn.node; ) {
    const parent = known.get(at);
    if (parent === undefined || parent === fn.node) return at === fn.node.body ? at : fn.node;
    if (conditional.has(parent.type) && (parent.test === at || parent.update === at || parent.init === at)) return at;
    if (parent.type === "SwitchStatement" && parent.discriminant === at) return at;
    if (/^For(Of|In)Statement$/.test(parent.type) && parent.body !== at) return parent;
    if (/Statement$|^VariableDeclaration$/.test(at.type) && at.type !== "BlockStatement") return at;
    if (isFunction(parent)) return at;
    at = parent;
  }
  return fn.node;
}
