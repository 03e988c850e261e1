/** Tells which names are typedef names, by scope: C cannot be parsed without it. */
export type Scopes = {
  push: (names?: ReadonlyMap<string, boolean>) => void;
  /** Leaves the innermost scope and returns what it declared: a function's body opens with its parameters. */
  pop: () => ReadonlyMap<string, boolean>;
  declare: (name: string, isTypedef: boolean) => void;
  isTypedef: (name: string) => boolean;
  isDeclared: (name: string) => boolean;
};

export function createScopes(predefined: readonly string[]): Scopes {
  const stack: Map<string, boolean>[] = [new Map(predefined.map((name) => [name, true]))];
  const find = (name: string): boolean | undefined => {
    for (let depth = stack.length - 1; depth >= 0; depth--) {
      const scope = stack[depth]!;
      if (scope.size === 0) continue;
      const found = scope.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    push: (names) => stack.push(new Map(names)),
    pop: () => stack.pop()!,
    declare: (name, isTypedef) => stack[stack.length - 1]!.set(name, isTypedef),
    isTypedef: (name) => find(name) === true,
    isDeclared: (name) => find(name) !== undefined,
  };
}
