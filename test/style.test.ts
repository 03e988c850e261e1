import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const sources = ["src", "page", "test", "bench", "scripts"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => parsed(relative(root, path), readFileSync(path, "utf8"))),
);

type Source = ReturnType<typeof parsed>;

function parsed(path: string, text: string) {
  return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

describe("caught errors", () => {
  it("have a name and are used", () => {
    expect(sources.flatMap(blindCatches)).toEqual([]);
  });

  it("are reported if nothing uses them", () => {
    const blind = (text: string) => blindCatches(parsed("a.ts", text)).length;
    expect(blind("try { f(); } catch { g(); }")).toBe(1);
    expect(blind("try { f(); } catch (error) { g(); }")).toBe(1);
    expect(blind("p.catch(() => null);")).toBe(1);
    expect(blind("try { f(); } catch (error) { if (!(error instanceof E)) throw error; }")).toBe(0);
  });
});

describe("exports", () => {
  it("are used somewhere", () => {
    expect(unusedExports(sources)).toEqual([]);
  });

  it("are reported if they are unused", () => {
    const one = parsed("src/a.ts", "export const x = 1; export const y = 2; export function f() { return x; }");
    const two = parsed("src/b.ts", 'import { f } from "./a.ts"; f();');
    expect(unusedExports([one, two])).toEqual(["src/a.ts: y"]);
  });
});

describe("names of types that mean something else elsewhere", () => {
  it("are declared once", () => {
    expect(declaredAgain(sources)).toEqual([]);
  });

  it("are reported if they are declared twice", () => {
    const files = ["src/a.ts", "src/b.ts"].map((path) => parsed(path, "export type Value = number; type Scope = 1;"));
    expect(declaredAgain(files)).toEqual(["Value: src/a.ts, src/b.ts"]);
  });
});

/** Exported by more than one file, of the names that every part of a compiler would like to have. */
function declaredAgain(files: readonly Source[]): readonly string[] {
  return ["Variable", "Place", "Value", "Symbols", "Scope"].flatMap((name) => {
    const places = files.filter(({ path, tree }) => path.startsWith("src/") && tree.statements.some(declares(name)));
    return places.length < 2 ? [] : [`${name}: ${places.map(({ path }) => path).join(", ")}`];
  });
}

function declares(name: string): (statement: ts.Statement) => boolean {
  return (statement) =>
    (ts.isTypeAliasDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isClassDeclaration(statement)) &&
    statement.name?.text === name &&
    (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function blindCatches({ path, tree }: Source): readonly string[] {
  const found: string[] = [];
  visit(tree, (node) => {
    const place = () => `${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isCatchClause(node)) {
      const name = node.variableDeclaration?.name.getText();
      if (name === undefined || !mentions(node.block, name)) found.push(place());
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [handler] = node.arguments;
      const isBlind = handler !== undefined && ts.isArrowFunction(handler) && handler.parameters.length === 0;
      if (node.expression.name.text === "catch" && isBlind) found.push(place());
    }
  });
  return found;
}

/** Values that `src/` exports and nobody uses: no other file, nor their own. What the library hands out is imported by `src/index.ts`. */
function unusedExports(files: readonly Source[]): readonly string[] {
  const used = new Set(files.flatMap(importedNames));
  return files.flatMap(({ path, tree }) =>
    path.startsWith("src/") && !entryPoints.has(path) && !used.has(`${path}#*`)
      ? exportedValues(tree)
          .filter((name) => !used.has(`${path}#${name}`) && countMentions(tree, name) < 2)
          .map((name) => `${path}: ${name}`)
      : [],
  );
}

/** Others than us load them. */
const entryPoints = new Set([
  "src/index.ts",
  "src/js/recorder/loadHook.ts",
  "src/js/recorder/vitest.ts",
  "src/js/runners/loadSources.ts",
  "src/js/runners/reporter.ts",
  "src/js/runners/vitestWorker.ts",
]);

function exportedValues(tree: ts.SourceFile): readonly string[] {
  return tree.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    const isValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    return isValue && statement.name !== undefined ? [statement.name.text] : [];
  });
}

/** `src/a.ts#f` for each name that a file takes from another, `src/a.ts#*` for all of them. */
function importedNames({ path, tree }: Source): readonly string[] {
  const names: string[] = [];
  const target = (specifier: string) => relative(root, resolve(root, dirname(path), specifier));
  visit(tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      const file = target((node.moduleSpecifier as ts.StringLiteral).text);
      const clause = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
      if (clause !== undefined && (ts.isNamedImports(clause) || ts.isNamedExports(clause))) {
        names.push(...clause.elements.map(({ name, propertyName }) => `${file}#${(propertyName ?? name).text}`));
      } else names.push(`${file}#*`);
    }
    // `const { f } = await import("./a.ts")`, and whatever else a loaded module is used for.
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [module] = node.arguments;
      if (module === undefined || !ts.isStringLiteral(module)) return;
      const holder = ts.isAwaitExpression(node.parent) ? node.parent.parent : node.parent;
      const pattern = ts.isVariableDeclaration(holder) && ts.isObjectBindingPattern(holder.name) ? holder.name : null;
      const taken = pattern?.elements.map(({ name, propertyName }) => (propertyName ?? name).getText()) ?? ["*"];
      names.push(...taken.map((name) => `${target(module.text)}#${name}`));
    }
  });
  return names;
}

function mentions(node: ts.Node, name: string): boolean {
  return countMentions(node, name) > 0;
}

function countMentions(node: ts.Node, name: string): number {
  let count = 0;
  visit(node, (part) => {
    if (ts.isIdentifier(part) && part.text === name) count++;
  });
  return count;
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

describe("switches", () => {
  it("over kinds without a default end a function that returns, so that the compiler checks them", () => {
    expect(sources.filter(({ path }) => path.startsWith("src/")).flatMap(openSwitches)).toEqual([]);
  });

  it("are reported if they are open", () => {
    const open = (text: string) => openSwitches(parsed("a.ts", text)).length;
    expect(open("function f(k: K): number { switch (k.kind) { case 1: return 2; } return 3; }")).toBe(1);
    expect(open("function f(k: K): void { switch (k.kind) { case 1: g(); } }")).toBe(1);
    expect(open("function f(k: K): number { switch (k.kind) { case 1: return 2; } }")).toBe(0);
    expect(open("function f(k: K): void { switch (k.kind) { case 1: return g(); default: assertNever(k); } }")).toBe(0);
  });
});

function openSwitches({ path, tree }: Source): readonly string[] {
  const found: string[] = [];
  visit(tree, (node) => {
    if (!ts.isSwitchStatement(node) || node.caseBlock.clauses.some(ts.isDefaultClause)) return;
    if (!ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== "kind") return;
    const block = node.parent;
    const fn = ts.isBlock(block) && ts.isFunctionLike(block.parent) ? block.parent : null;
    const isLast = ts.isBlock(block) && block.statements.at(-1) === node;
    const type = fn?.type?.getText();
    const returns = type !== undefined && type !== "void" && !/\bundefined\b/.test(type);
    if (!isLast || !returns) found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
  });
  return found;
}
