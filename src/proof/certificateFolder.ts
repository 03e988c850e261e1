import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { TracefoldError } from "../base/errors.ts";
import type { Certificate } from "../cutpoints/certificate.ts";
import { type Property, properties } from "../cutpoints/property.ts";
import { loadProject } from "../frontend/loadProject.ts";
import type { Program } from "../ir/program.ts";
import type { Sort } from "../logic/term.ts";
import type { BackendChoice } from "../solver/findBackends.ts";
import { type CertificateCheck, type CertificateQuestion, checkCertificate } from "./checkCertificate.ts";
import { startCheckers } from "./checkers.ts";
import { filesForOthers, listTriples } from "./exportProof.ts";
import type { ProvedProgram } from "./manifest.ts";
import { provedProject } from "./provedFiles.ts";
import type { Triple } from "./triple.ts";

/** The name of the manifest of a certificate in its folder. */
export const certificateName = "certificate.json";

/** All that it takes to check a certificate again (`docs/verify.md`). Paths are relative to the folder. */
export type CertificateManifest = {
  readonly schema: 1;
  readonly tool: { readonly name: "tracefold"; readonly version: string };
  readonly program: ProvedProgram;
  readonly property: Property;
  readonly certificate: {
    readonly kind: Certificate["kind"];
    readonly depth: number;
    readonly invariants: Readonly<Record<string, readonly string[]>>;
    readonly sorts: Readonly<Record<string, Sort>>;
  };
  /** One script for each question, which answers `unsat`; `coq`: a theorem of `proof.v`, or why there is none. */
  readonly questions: readonly { readonly what: string; readonly script: string; readonly coq: true | string }[];
};

/** The files of a certificate: what `tracefold check` reads, and a script for each of its obligations. */
export function exportCertificate(
  about: Pick<CertificateManifest, "program" | "property"> & { readonly version: string },
  { kind, depth, invariants, sorts }: Certificate,
  questions: readonly CertificateQuestion[],
): ReadonlyMap<string, string> {
  const triples = questions.map(({ what, formulas, conclusion }, i): Triple => {
    const range = { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };
    return { name: `obligation${i + 1}`, role: "body", range, text: what, hypotheses: formulas, conclusion };
  });
  const manifest: CertificateManifest = {
    schema: 1,
    tool: { name: "tracefold", version: about.version },
    program: about.program,
    property: about.property,
    certificate: { kind, depth, invariants: Object.fromEntries(invariants), sorts: Object.fromEntries(sorts) },
    questions: listTriples(triples).map(({ text, script, coq }) => ({ what: text, script, coq })),
  };
  return new Map([...filesForOthers(triples), [certificateName, `${JSON.stringify(manifest, null, 2)}\n`]]);
}

export type CheckedCertificateFolder = {
  readonly program: Program;
  readonly property: Property;
  readonly check: CertificateCheck;
  readonly questions: readonly CertificateQuestion[];
};

export function hasCertificate(folder: string): boolean {
  return existsSync(join(folder, certificateName));
}

/** Checks the certificate in a folder from the program and the text of its invariants alone. */
export async function checkCertificateFolder(
  folder: string,
  options: { readonly checkers?: readonly BackendChoice[]; readonly cancellation?: Cancellation },
): Promise<CheckedCertificateFolder> {
  const manifest = readManifest(join(folder, certificateName));
  const { program: proved, property } = manifest;
  const project = await provedProject(proved, (path) => relative("", resolve(folder, path)) || ".");
  const { uninitialized, undefined: missing, subobjectBounds, preprocess } = proved;
  const program = await loadProject(project, { uninitialized, undefined: missing, subobjectBounds, preprocess });
  const changed = program.files.find((file, i) => file.sha256 !== proved.read[i]?.sha256);
  if (changed !== undefined || program.files.length !== proved.read.length) {
    throw new TracefoldError({
      code: "TF147",
      message: `${changed?.path ?? "the program"} is not what the certificate is about: it was changed`,
      help: "Make it again: tracefold verify FILE --proof DIR.",
    });
  }
  const questions: CertificateQuestion[] = [];
  const { kind, depth, invariants, sorts } = manifest.certificate;
  const certificate = {
    kind,
    depth,
    invariants: new Map(Object.entries(invariants)),
    sorts: new Map(Object.entries(sorts)),
  };
  const cancellation = options.cancellation ?? neverCancelled;
  const check = checkCertificate(program, certificate, {
    property,
    solvers: () => startCheckers(options.checkers, { cancellation, vectors: true }).solvers,
    cancellation,
    asked: (question) => questions.push(question),
  });
  return { program, property, check, questions };
}

function readManifest(path: string): CertificateManifest {
  const malformed = (why: string) =>
    new TracefoldError({
      code: "TF149",
      message: `${path} is no certificate: ${why}`,
      help: "tracefold verify FILE --proof DIR writes one.",
    });
  let value: CertificateManifest;
  try {
    value = JSON.parse(readFileSync(path, "utf8")) as CertificateManifest;
  } catch (error) {
    throw malformed(error instanceof SyntaxError ? "it is not JSON" : "it cannot be read");
  }
  const { certificate, program, property } = value ?? {};
  if (value?.schema !== 1 || !properties.includes(property)) throw malformed("its property or schema is missing");
  if (!Array.isArray(program?.files) || !Array.isArray(program.read)) throw malformed("its program is missing");
  const isWhole =
    (certificate?.kind === "inductive" || certificate?.kind === "bounded") &&
    Number.isSafeInteger(certificate.depth) &&
    certificate.depth >= 1 &&
    certificate.depth <= mostDepth &&
    isTable(
      certificate.invariants,
      (texts) => Array.isArray(texts) && texts.every((text) => typeof text === "string"),
    ) &&
    isTable(certificate.sorts, (sort) => sort === "Int" || sort === "Bool" || sort === "Array");
  if (!isWhole) throw malformed("its invariants are malformed");
  return value;
}

/** Nobody checks an unrolling that is longer. */
const mostDepth = 100_000;

function isTable(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(isEntry);
}
