import type { PackedHead } from "../../recording/columns.ts";

/**
 * All that a page shows. The report is the JSON of its command; the recording lies beside it, packed in bytes. A page
 * without a recording shows the report alone.
 */
export type PageData = {
  readonly version: 1;
  /** The result of the command, as `--format json` writes it. */
  readonly report: { readonly command: string; readonly [field: string]: unknown };
  /** The explanation of the run that another command found, if it was asked for. */
  readonly explanation?: PageData["report"];
  readonly files: readonly PageSource[];
  readonly recording: PackedHead | null;
};

export type PageSource = {
  readonly path: string;
  readonly text: string;
  /** For each line the parts that have a colour. */
  readonly tokens: readonly (readonly PageToken[])[];
};

/** Columns count from 0; `style` is an index in `tokenStyles`. */
export type PageToken = readonly [start: number, end: number, style: number];

export const tokenStyles = ["keyword", "type", "string", "number", "comment", "function", "constant"] as const;

/** The data as it lies in the page: the length of the JSON, the JSON, the bytes of the recording. */
export function packPage(data: PageData, recording: Uint8Array): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(data));
  const packed = new Uint8Array(4 + json.length + recording.length);
  new DataView(packed.buffer).setUint32(0, json.length);
  packed.set(json, 4);
  packed.set(recording, 4 + json.length);
  return packed;
}

export function unpackPage(packed: Uint8Array): { readonly data: PageData; readonly recording: Uint8Array } {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  const data = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + length))) as PageData;
  return { data, recording: packed.subarray(4 + length) };
}
