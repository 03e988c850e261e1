import type { LibraryTable } from "./libraryFunction.ts";
export const libraryTable: LibraryTable = {};
