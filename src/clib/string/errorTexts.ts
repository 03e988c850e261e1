import { type Entry, operations } from "../entry.ts";
import { errnoMessage } from "../errno.ts";
import type { Host } from "../host.ts";
import type { Pointer } from "../pointer.ts";

/** `<string.h>`: texts of the library's own. */

const operation = operations("string.h");

/** Each text is made once: asked again, it is at the same place. */
function errorText(host: Host, number: number): Pointer {
  const known = host.state.errorTexts.get(number);
  if (known !== undefined) return known;
  const text = Buffer.from(errnoMessage(number), "latin1");
  const made = host.newObject(text.length + 1);
  host.writeString(made, text);
  host.state.errorTexts.set(number, made);
  return made;
}

export const errorTexts: readonly Entry[] = [
  operation({
    prototype: "char *strerror(int number)",
    source: "environment",
    run: errorText,
  }),
];
