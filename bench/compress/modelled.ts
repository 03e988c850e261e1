import { fileURLToPath } from "node:url";
import { loadC } from "../../src/c/cFrontEnd.ts";
import type { InputSource } from "../../src/interpreter/inputs.ts";
import { recordTrace, type Trace } from "../../src/interpreter/trace.ts";
import { type PaperRow, paper, paperRow } from "./paper.ts";
import { compareRows, compressedRow, printHeader, printRow } from "./row.ts";

/** A program of the structure that the paper describes, and inputs with which it fails after so many rounds. */
type Modelled = {
  readonly file: string;
  readonly published: readonly PaperRow[];
  /** Fewer rounds do not fail. */
  readonly least: number;
  inputs(rounds: number): InputSource;
};

const first = (values: readonly bigint[], then: (index: number) => bigint): InputSource => {
  return ({ index }) => values[index] ?? then(index - values.length);
};

/** Rounds of the ring's inner loop in one round of the outer, as published. */
const wakes = 6;

/** The first round ends with the master; when it wakes up twice more, the token is away, and it reports an error. */
function wokenStation(index: number): bigint {
  return index === wakes ? 1n : BigInt(index % 2);
}

const modelled: readonly Modelled[] = [
  { file: "client", published: paper.s3_clnt_1, least: 5, inputs: (n) => first([BigInt(n)], () => 0n) },
  {
    file: "server",
    published: paper.s3_srvr_6,
    least: 0,
    inputs: (n) => first([BigInt(n), 2n], (i) => BigInt(i % 3)),
  },
  {
    file: "token_ring",
    published: paper.token_ring01,
    least: 2,
    inputs: (n) => first([BigInt(n), BigInt(wakes)], wokenStation),
  },
  { file: "retry_driver", published: paper.cdaudio_simpl1, least: 1, inputs: (n) => first([BigInt(n)], () => 0n) },
  { file: "status_driver", published: paper.floppy_simpl3, least: 1, inputs: (n) => first([BigInt(n)], () => 0n) },
];

export async function recordModelled(file: string, rounds: number): Promise<Trace> {
  const program = modelled.find((each) => each.file === file)!;
  const path = fileURLToPath(new URL(`../programs/folding/${file}.c`, import.meta.url));
  return recordTrace(await loadC(path), { inputs: program.inputs(rounds) });
}

/** The five programs at growing bounds; returns what was missed. */
export async function benchModelled(bounds: readonly number[]): Promise<string[]> {
  const missed: string[] = [];
  printHeader("Programs of the published structure, by rounds of the loop");
  for (const { file, published, least } of modelled) {
    const rounds = [...new Set([...bounds, ...published.map((row) => row.rounds)])].sort((a, b) => a - b);
    const lengths = new Set<number>();
    for (const n of rounds) {
      const name = `${file}, ${n.toLocaleString("en-US")}`;
      if (n < least) {
        console.log(`${name.padEnd(34)} does not fail before round ${least}`);
        continue;
      }
      const ours = compressedRow(await recordModelled(file, n));
      const theirs = paperRow(published, n);
      printRow(name, ours, theirs);
      lengths.add(ours.compressed);
      if (!ours.checked) missed.push(`${name}: the proof is not checked`);
      if (theirs !== null && compareRows(ours, theirs) === "worse") missed.push(`${name}: worse than published`);
    }
    if (lengths.size > 1) missed.push(`${file}: the compressed length is ${[...lengths].join(", ")}`);
  }
  return missed;
}
