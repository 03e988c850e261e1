import picocolors from "picocolors";
import { type Paint, plain } from "../render/layout.ts";

export function paintOf(colours: boolean): Paint {
  return colours ? picocolors.createColors(true) : plain;
}
