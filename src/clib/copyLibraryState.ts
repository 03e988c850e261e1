import type { LibraryState } from "./libraryState.ts";
import type { Stream } from "./stdio/stream.ts";

/** Output that a copy may hold. */
const maxKept = 2 ** 20;

/** A state of its own, as it is now; null where files are under way, or much was printed. */
export function copyLibraryState(state: LibraryState): LibraryState | null {
  const { streams, files, random } = state;
  const { stdin, stdout, stderr, opened, closed } = streams;
  if (opened.size + closed.size + files.changed.size > 0) return null;
  if (stdout.content.length + stderr.content.length > maxKept) return null;
  return {
    ...state,
    streams: {
      // Nobody writes to where the input comes from.
      stdin: { ...stdin, pushedBack: [...stdin.pushedBack], content: { ...stdin.content } },
      stdout: copyStream(stdout),
      stderr: copyStream(stderr),
      opened: new Map(),
      closed: new Set(),
    },
    files: { ...files, changed: new Map(), outside: new Set(files.outside) },
    random: random === null ? null : random.slice(),
    errorTexts: new Map(state.errorTexts),
  };
}

function copyStream(stream: Stream): Stream {
  const { bytes, length } = stream.content;
  return { ...stream, pushedBack: [...stream.pushedBack], content: { bytes: bytes.slice(0, length), length } };
}
