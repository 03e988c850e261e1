import type { SmallestText } from "../search/shrinkText.ts";

/** Standard input and arguments of a run, where it has any. */
export type InputText = {
  readonly stdin?: string;
  /** The same byte for byte, where it is not UTF-8. */
  readonly stdinBase64?: string;
  readonly arguments?: readonly string[];
};

export function describeText({ stdin, args }: Pick<SmallestText, "stdin" | "args">): InputText {
  const text = Buffer.from(stdin).toString("utf8");
  const isExact = Buffer.from(text, "utf8").equals(stdin);
  return {
    stdin: text,
    ...(isExact ? {} : { stdinBase64: Buffer.from(stdin).toString("base64") }),
    ...(args.length === 0 ? {} : { arguments: args }),
  };
}
