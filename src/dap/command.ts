import type { Service } from "../commands/service.ts";

/** `tracefold dap`: a debug adapter for editors. */
export const dap: Service<Record<never, never>> = {
  name: "dap",
  summary: "serve an editor: debug a recorded run in both directions (Debug Adapter Protocol)",
  teaching: `
It is started by an editor, not by hand. A launch configuration of VS Code:

  { "type": "tracefold", "request": "launch", "name": "Why does it fail?",
    "program": "prog.c", "args": ["12", "9"] }

or, for a failing JavaScript test, "testCommand": "npx vitest run" and "test": "its name". The run is
recorded once; then it steps and continues in both directions, and the debug console answers
why NAME, why not LINE, history NAME. docs/debugger.md has all settings, and other editors.`,
  options: {},
  async serve() {
    const { serve } = await import("./serve.ts");
    return serve();
  },
};
