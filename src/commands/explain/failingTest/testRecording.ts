import { remembered } from "../../../base/memo.ts";
import { rangeBetweenOffsets, type SourceFile } from "../../../base/sourceFile.ts";
import { children, type Node, parseSource, sourceKindOf } from "../../../js/recorder/syntax.ts";
import type { TraceSite } from "../../../js/trace/instrument/rewriter.ts";
import type { RawRecording } from "../../../js/trace/rawRecording.ts";
import type { TracedFile } from "../../../js/trace/run.ts";
import {
  fromTheStart,
  type RecordedPlaceOfStep,
  type RecordedStatement,
  type Recording,
} from "../../../recording/recording.ts";
import { extentOf } from "../recording/programPlaces.ts";
import { functionName } from "./traceGraph.ts";

/** The recording of a test with the places of its sources, in place of numbers of sites. */
export function testRecording(
  { sites, recording: raw }: RawRecording,
  files: readonly TracedFile[],
  sources: ReadonlyMap<string, SourceFile>,
): Recording {
  const siteOf = (index: number) => sites[index] ?? -1;
  const tables = tablesOf(files, sources);
  const { steps, executions } = raw;
  const statement = executions.statement.map((site) => tables.statementOf(siteOf(site)));
  const activations = activationsOf(raw, statement, tables.statements);
  const place = steps.place.map((site) => tables.placeOf(siteOf(site)));
  const activation = steps.execution.map((execution) => activations.of[execution] ?? 0);
  const cells = cellsOf(raw, tables, place, activation, siteOf);
  return {
    ...raw,
    files: tables.files,
    functions: tables.functions,
    statements: tables.statements,
    places: tables.places,
    cells: cells.names,
    cellOwners: cells.owners,
    steps: { ...steps, place, activation, cell: cells.column },
    executions: { ...executions, statement, activation: activations.of },
    activations: activations.columns,
  };
}

type Tables = {
  readonly files: readonly string[];
  readonly functions: readonly string[];
  readonly statements: readonly RecordedStatement[];
  readonly places: readonly RecordedPlaceOfStep[];
  placeOf(site: number): number;
  statementOf(site: number): number;
  /** True if the site declares the variable that it writes. */
  declares(site: number): boolean;
};

const statementKinds: ReadonlySet<TraceSite["kind"]> = new Set(["statement", "condition", "loop", "return", "throw"]);

function tablesOf(traced: readonly TracedFile[], sources: ReadonlyMap<string, SourceFile>): Tables {
  const files: string[] = [];
  const functions: string[] = [];
  const functionNumbers = new Map<string, number>();
  const statements: RecordedStatement[] = [];
  const places: RecordedPlaceOfStep[] = [];
  const placeNumbers = new Map<number, number>();
  const statementNumbers = new Map<number, number>();
  const declaring = new Set<number>();
  /** A module and the tests in it are different functions, though both are called `test` in print. */
  const functionOf = (site: TraceSite, isTest: boolean): number =>
    remembered(functionNumbers, `${isTest} ${site.name}`, () => functions.push(functionName({ site, isTest })) - 1);
  for (const file of traced) {
    const source = sources.get(file.path);
    if (source === undefined) continue;
    const number = files.push(source.path) - 1;
    const bodies = bodiesOf(source);
    const own = file.sites.flatMap((site, i) =>
      statementKinds.has(site.kind) ? [{ site, number: file.first + i }] : [],
    );
    for (const { site, number: siteNumber } of own) {
      const body = bodies.filter(({ start, end }) => site.start >= start && site.start < end);
      const control =
        site.kind === "condition" || site.kind === "loop" ? smallest(body.filter(({ type }) => isControl(type))) : null;
      statementNumbers.set(siteNumber, statements.length);
      statements.push({
        kind: kindOfStatement(site, control),
        file: number,
        function: functionOf(site, file.isTest),
        at: extentOf(rangeBetweenOffsets(source, site.start, site.end)),
        whole: extentOf(rangeBetweenOffsets(source, control?.start ?? site.start, control?.end ?? site.end)),
        text: source.text.slice(site.start, site.end).replaceAll(/\s+/g, " ").trim(),
      });
    }
    // The innermost statement around each place.
    for (const [i, site] of file.sites.entries()) {
      const around = own.filter((each) => each.site.start <= site.start && each.site.end >= site.end);
      const inner = around.reduce<(typeof around)[number] | null>(
        (best, each) =>
          best === null || each.site.end - each.site.start < best.site.end - best.site.start ? each : best,
        null,
      );
      const text = source.text.slice(site.start, site.end);
      if (site.kind === "parameter" || /^(export\s+)?(const|let|var)\s/.test(text)) declaring.add(file.first + i);
      placeNumbers.set(file.first + i, places.length);
      places.push({
        statement: inner === null ? -1 : (statementNumbers.get(inner.number) ?? -1),
        kind: kindOfPlace(site.kind),
        at: extentOf(rangeBetweenOffsets(source, site.start, site.end)),
        name: /^(write|parameter)$/.test(site.kind) ? site.name : oneLine(text),
        reads: [],
      });
    }
  }
  const nowhere = places.push({ statement: -1, kind: "other", at: null, name: "", reads: [] }) - 1;
  return {
    files,
    functions,
    statements,
    places,
    placeOf: (site) => placeNumbers.get(site) ?? nowhere,
    statementOf: (site) => statementNumbers.get(site) ?? -1,
    declares: (site) => declaring.has(site),
  };
}

const longestName = 60;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestName ? `${line.slice(0, longestName - 1)}…` : line;
}

function kindOfStatement({ kind }: TraceSite, control: Node | null): RecordedStatement["kind"] {
  if (control?.type === "SwitchStatement") return "switch";
  switch (kind) {
    case "condition":
      return "condition";
    case "loop":
      return "loop";
    case "return":
      return "return";
    case "throw":
      return "jump";
    default:
      return "simple";
  }
}

function kindOfPlace(kind: TraceSite["kind"]): RecordedPlaceOfStep["kind"] {
  switch (kind) {
    case "write":
    case "parameter":
    case "call":
    case "return":
    case "throw":
      return kind;
    case "condition":
    case "loop":
    case "branch":
      return "condition";
    default:
      return "other";
  }
}

/** The statements of a file that decide what runs. */
function bodiesOf({ path, text }: SourceFile): readonly Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (isControl(node.type)) found.push(node);
    for (const child of children(node)) visit(child);
  };
  const parsed = parseSource(path, text, sourceKindOf(path, text));
  if (parsed.kind === "parsed") visit(parsed.program);
  return found;
}

function isControl(type: string): boolean {
  return /^(If|For|ForOf|ForIn|While|DoWhile|Switch)Statement$|^CatchClause$/.test(type);
}

function smallest(nodes: readonly Node[]): Node | null {
  return nodes.reduce<Node | null>(
    (best, node) => (best === null || node.end - node.start < best.end - best.start ? node : best),
    null,
  );
}

/** Executions of one function with one caller are one call of it. */
function activationsOf(raw: Recording, statement: Int32Array, statements: readonly RecordedStatement[]) {
  const { executions, steps } = raw;
  const of = new Int32Array(statement.length);
  const numbers = new Map<string, number>();
  const fns: number[] = [];
  const calls: number[] = [];
  // The last step of each execution so far is the one that called.
  const lastStep = new Int32Array(statement.length).fill(fromTheStart);
  let step = 0;
  for (let execution = 0; execution < statement.length; execution++) {
    const start = executions.firstStep[execution] ?? 0;
    for (; step < start; step++) lastStep[steps.execution[step] ?? 0] = step;
    const caller = executions.activation[execution] ?? -1;
    const fn = statements[statement[execution] ?? -1]?.function ?? 0;
    const key = `${caller}:${fn}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = fns.push(fn) - 1;
      numbers.set(key, number);
      calls.push(caller < 0 ? fromTheStart : (lastStep[caller] ?? fromTheStart));
    }
    of[execution] = number;
  }
  return { of, columns: { function: Int32Array.from(fns), call: Int32Array.from(calls) } };
}

/** A property is a cell of its object, a variable one of the call that declares it, or of the file. */
function cellsOf(
  { steps }: Recording,
  { places, statements, declares }: Tables,
  place: Int32Array,
  activation: Int32Array,
  siteOf: (index: number) => number,
) {
  const names = [""];
  const owners = [-1];
  const numbers = new Map<string, number>();
  const column = new Int32Array(place.length);
  const declared = new Set<string>();
  const scopeOf = (index: number) => statements[places[place[index] ?? 0]?.statement ?? -1];
  for (let step = 0; step < place.length; step++)
    if (declares(siteOf(steps.place[step] ?? -1)))
      declared.add(`${scopeOf(step)?.function}:${places[place[step] ?? 0]?.name}`);
  for (let step = 0; step < place.length; step++) {
    const own = places[place[step] ?? 0];
    if (own === undefined || (own.kind !== "write" && own.kind !== "parameter") || own.name === "") continue;
    const owner = steps.cell[step] ?? 0;
    const property = own.name.split(/[.[]/).at(-1) ?? "";
    const scope = scopeOf(step);
    const isLocal = declared.has(`${scope?.function}:${own.name}`);
    const key =
      owner > 0
        ? `#${owner}.${own.name.endsWith("]") ? own.name : property}`
        : `${own.name}:${isLocal ? activation[step] : `file ${scope?.file}`}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = names.push(own.name) - 1;
      owners.push(owner <= 0 && isLocal ? (activation[step] ?? -1) : -1);
      numbers.set(key, number);
    }
    column[step] = number;
  }
  return { names, owners: Int32Array.from(owners), column };
}
