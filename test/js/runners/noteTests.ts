import { appendFileSync } from "node:fs";
import type { HooksMaker } from "../../../src/js/runners/runner.ts";

/** For tests: notes what the hooks see, a line each, and runs each test again. */
const make: HooksMaker = (options) => {
  const { notes } = options as { readonly notes: string };
  const note = (...words: readonly unknown[]) => appendFileSync(notes, `${words.join(" ")}\n`);
  const messageOf = (error: unknown) => (error === null ? "passed" : (error as Error).message.split("\n")[0]);
  return {
    beforeTest: ({ name }) => note("before", name),
    afterTest: ({ name }, error) => note("after", name, messageOf(error)),
    async afterFile({ tests, again }) {
      for (const { id, state } of tests) note("again", id.name, state, messageOf(await again(id)));
    },
  };
};

export default make;
