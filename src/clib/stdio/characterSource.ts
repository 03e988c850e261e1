import { readCharacter, type Stream } from "./stream.ts";

/** Characters one by one, with the count of those consumed; one or more may be put back. */
export type CharacterSource = {
  /** -1 at the end. */
  next(): number;
  back(character: number): void;
  consumed(): number;
};

export function streamCharacters(stream: Stream): CharacterSource {
  let count = 0;
  return {
    next() {
      const character = readCharacter(stream);
      if (character !== -1) count++;
      return character;
    },
    back(character) {
      if (character === -1) return;
      stream.pushedBack.push(character);
      count--;
    },
    consumed: () => count,
  };
}

export function stringCharacters(bytes: Uint8Array): CharacterSource {
  let at = 0;
  return {
    next: () => (at < bytes.length ? bytes[at++]! : -1),
    back(character) {
      if (character !== -1) at--;
    },
    consumed: () => at,
  };
}
