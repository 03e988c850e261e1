import { type PaperRow, paper } from "./paper.ts";

/** A program of the paper, as SV-COMP has it. */
export type Published = {
  /** Names under which it has been published, the one that the authors used first. */
  readonly names: readonly RegExp[];
  readonly rows: readonly PaperRow[];
  /** What is changed in the text for a bound, and why. */
  readonly note?: string;
  edit?(text: string, bound: number): string;
  /** What the run is to explain, where that is not a recorded error: a condition on the line with this text. */
  readonly target?: { readonly condition: string; readonly at: RegExp };
};

export const published: Readonly<Record<keyof typeof paper, Published>> = {
  s3_clnt_1: { names: [/^s3_clnt_1[._]/], rows: paper.s3_clnt_1 },
  s3_srvr_6: { names: [/^s3_srvr_6[._]/], rows: paper.s3_srvr_6 },
  token_ring01: {
    names: [/^token_ring01[._]/, /^token_ring\.01[._]/],
    rows: paper.token_ring01,
    note: "variables whose declaration a goto jumps over are declared at the start of their function",
    edit: (text) =>
      text
        .replace(/int i=0, (loop[12]) = __VERIFIER_nondet_int\(\);/g, "i = 0; $1 = __VERIFIER_nondet_int();")
        .replace(/^void master\(void\) *\n\{/m, "void master(void)\n{ int i; int loop1;")
        .replace(/^void transmit1\(void\) *\n\{/m, "void transmit1(void)\n{ int i; int loop2;"),
  },
  cdaudio_simpl1: {
    names: [/^cdaudio_simpl1[._]/],
    rows: paper.cdaudio_simpl1,
    note: "the file returns before its loop: inquiryDataPtr and irp, set to 0, are inputs here; target s == NP after it",
    edit: (text, bound) =>
      text
        .replace("inquiryDataPtr = 0;", "inquiryDataPtr = __VERIFIER_nondet_int();")
        .replace("irp = 0;", "irp = __VERIFIER_nondet_int();")
        .replace("tmp >= 4", `tmp >= ${bound}`),
    target: { condition: "s == NP", at: /^void IofCompleteRequest\(.*\) *\n(.*\n)*?.*if \(s == NP\)/m },
  },
  floppy_simpl3: {
    names: [/^floppy_simpl3[._]/],
    rows: paper.floppy_simpl3,
    note: "MaximumInterfaceType, which the file sets to 0, is the bound; target status == -1073741823 where it is checked",
    edit: (text, bound) => text.replace("MaximumInterfaceType  = 0;", `MaximumInterfaceType = ${bound};`),
    target: { condition: "status == -1073741823", at: /^int main\(void\)(.*\n)*? {2}if \(pended == 1\) \{/m },
  },
};
