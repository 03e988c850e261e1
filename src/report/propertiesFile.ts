import { relative } from "node:path";
import type { InferReport, ReportedFunction } from "../jobs/infer/inferReport.ts";
import { classProperty } from "./classProperty.ts";
import { arbitraries, untyped, words } from "./propertyParts.ts";

/**
 * A vitest file with a fast-check property for each exported pure function whose contract says all in terms of its
 * parameters: requirements become `fc.pre`, cases become assertions; and with commands for exported classes. A path condition with its result holds for all values
 * of the same kinds, so what is left out is left out because it could fail: partial cases, loops. Null where nothing is left.
 */
export function propertiesFile(report: InferReport, folder: string, from: string): string | null {
  const functions = report.functions.filter((one) => isTestable(one, report));
  const classes = report.classes.flatMap((one) => {
    const text = classProperty(one, report.functions);
    return text === null ? [] : [{ name: one.name, file: one.file, text }];
  });
  const files = [...new Set([...functions, ...classes].map(({ file }) => file))];
  const imports = files.map((file) => {
    const names = [...functions, ...classes].filter((one) => one.file === file).map((one) => one.name);
    // With the extension of what is compiled: every way of resolving modules knows that, with or without a compiler option.
    const path = relative(from, `${folder}/${file}`)
      .replaceAll("\\", "/")
      .replace(/\.([cm]?)tsx?$/, ".$1js");
    return `import { ${names.sort().join(", ")} } from ${JSON.stringify(path.startsWith(".") ? path : `./${path}`)};`;
  });
  const head = [
    ['import * as fc from "fast-check";', 'import { expect, it } from "vitest";', ...imports].join("\n"),
    [
      "/** Contracts are about values that were seen, fields that are private among them: the types of the source do not apply. */",
      `type ${untyped} = any;`,
    ].join("\n"),
  ];
  const all = [...functions.map(property), ...classes.map(({ text }) => text)];
  return all.length === 0 ? null : `${[...head, ...all].join("\n\n")}\n`;
}

function isTestable(one: ReportedFunction, report: InferReport): boolean {
  const known =
    one.exported && one.className === null && one.pure && !one.rounds && one.withheld === 0 && one.params.length > 0;
  if (!known || one.ordered || one.cases.some(({ partial }) => partial)) return false;
  if (!one.params.every(({ seen }) => arbitraries[seen] !== undefined)) return false;
  const names = new Set([...one.params.map(({ name }) => name), ...exportedNames(one.file, report)]);
  const texts = [
    ...one.pre.map(({ condition }) => condition),
    ...one.post,
    ...one.cases.flatMap((c) => [...c.guard, ...c.effects]),
  ];
  return texts.length > 0 && texts.every((text) => mentionsOnly(text, names));
}

function exportedNames(file: string, report: InferReport): readonly string[] {
  return report.functions.filter((one) => one.file === file && one.exported).map((one) => one.name);
}

function mentionsOnly(text: string, names: ReadonlySet<string>): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\.\s*\w+/g, "");
  return (
    !/ is | changes|old\(|\?/.test(bare) &&
    [...bare.matchAll(/[A-Za-z_$][\w$]*/g)].every(([name]) => names.has(name) || words.has(name))
  );
}

function property(one: ReportedFunction): string {
  const params = one.params.map(({ name }) => name).join(", ");
  const given = one.params.map(({ seen }) => arbitraries[seen]).join(", ");
  const pre = one.pre.map(({ condition }) => `      fc.pre(${condition});`);
  const forbidden = one.throws.map(({ when }) => `      fc.pre(!(${when.length === 0 ? "true" : when.join(" && ")}));`);
  const cases = one.cases.map(({ guard, effects }) => {
    const checks = effects.map((effect) => `expect(${effect}).toBe(true);`).join(" ");
    return guard.length === 0 ? `      ${checks}` : `      if (${guard.join(" && ")}) { ${checks} }`;
  });
  return [
    `it(${JSON.stringify(`${one.name} keeps its contract`)}, () => {`,
    "  fc.assert(",
    `    fc.property(${given}, (${one.params.map(({ name }) => `${name}: ${untyped}`).join(", ")}) => {`,
    ...pre,
    ...forbidden,
    `      const result = (${one.name} as ${untyped})(${params});`,
    ...one.post.map((text) => `      expect(${text}).toBe(true);`),
    ...cases,
    "    }),",
    "  );",
    "});",
  ].join("\n");
}
