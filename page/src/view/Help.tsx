import { useLayoutEffect, useRef } from "preact/hooks";

/** What each key does. */
export const keys = [
  ["→ or n", "one step forward, into calls"],
  ["← or p", "one step back"],
  ["o", "over the call"],
  ["Shift o", "back over the call"],
  ["u", "out of the call, to its end"],
  ["Shift u", "back to the call"],
  ["b", "previous write of the chosen value"],
  ["f", "next write of the chosen value"],
  ["w", "why is this step as it is"],
  ["Home, End", "the first and the last step"],
  ["1 to 5", "the panels on the right"],
  ["/", "search"],
  ["d", "dark or light"],
  ["?", "this list"],
  ["Esc", "close"],
] as const;

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-label="keys" onClose={onClose}>
      <h2>Keys</h2>
      <table>
        <tbody>
          {keys.map(([key, what]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Click a value in the source or beside it to ask where it came from. Click the number of a line that was not
        executed to ask why not.
      </p>
      <form method="dialog">
        <button type="submit">close</button>
      </form>
    </dialog>
  );
}
