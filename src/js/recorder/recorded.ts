/**
 * A value as the log has it. Primitive values are themselves; what has an identity is one object here for each object
 * there, so `===` compares them as the program would.
 */
export type Recorded =
  | undefined
  | null
  | boolean
  | number
  | string
  | bigint
  | RecordedObject
  | RecordedSymbol
  | RecordedText;

export type RecordedObject = {
  readonly kind: "object" | "function";
  /** Within one process's log. */
  readonly number: number;
  /** Name of the class; `TypeError: message` of an error, the name of a function. */
  readonly className: string;
};

export type RecordedSymbol = { readonly kind: "symbol"; readonly description: string };

/** A string that was too long to keep. Equal descriptions are equal strings. */
export type RecordedText = { readonly kind: "text"; readonly description: string; readonly length: number };

export function isObject(value: Recorded): value is RecordedObject {
  return typeof value === "object" && value !== null && (value.kind === "object" || value.kind === "function");
}
