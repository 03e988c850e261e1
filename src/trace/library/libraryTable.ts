import { allocation } from "./allocation.ts";
import { characters } from "./characters.ts";
import type { LibraryTable } from "./libraryFunction.ts";
import { mathematics } from "./mathematics.ts";
import { memoryBlocks } from "./memoryBlocks.ts";
import { numbers } from "./numbers.ts";
import { printing } from "./printing.ts";
import { randomNumbers } from "./randomNumbers.ts";
import { reading } from "./reading.ts";
import { strings } from "./strings.ts";

/** Every library function that a `callLibrary` operation may name. */
export const libraryTable: LibraryTable = {
  ...allocation,
  ...characters,
  ...mathematics,
  ...memoryBlocks,
  ...numbers,
  ...printing,
  ...randomNumbers,
  ...reading,
  ...strings,
};
