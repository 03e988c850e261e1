/** Ids are dense indices: of a function and a variable in the program, of a location and an edge in their function. */
declare const brand: unique symbol;
type Id<Name extends string> = number & { readonly [brand]: Name };

export type FunctionId = Id<"function">;
export type VariableId = Id<"variable">;
export type LocationId = Id<"location">;
export type EdgeId = Id<"edge">;
