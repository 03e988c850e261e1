import type { Program } from "../ir/program.ts";
import { blocksOf } from "./blocks.ts";
import { pathsOf } from "./paths.ts";

const chunkSize = 65536;

/** The blocks along recorded paths, up to the one with the last of `steps` steps; in chunks. */
export function expandPaths(program: Program, recorded: readonly Int32Array[], steps: number): Int32Array[] {
  const paths = pathsOf(program);
  const { first } = blocksOf(program);
  const chunks: Int32Array[] = [];
  let chunk = new Int32Array(chunkSize);
  let used = 0;
  let left = steps;
  for (const part of recorded) {
    for (let i = 0; i < part.length && left > 0; i++) {
      const blocks = paths.blocksOf(part[i]!);
      for (let k = 0; k < blocks.length && left > 0; k++) {
        if (used === chunkSize) {
          chunks.push(chunk);
          chunk = new Int32Array(chunkSize);
          used = 0;
        }
        const block = blocks[k]!;
        chunk[used++] = block;
        left -= first[block + 1]! - first[block]!;
      }
    }
  }
  chunks.push(chunk.slice(0, used));
  return chunks;
}
