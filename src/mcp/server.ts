import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { formatError, TracefoldError } from "../base/errors.ts";
import { openOutput, packageVersion } from "../commands/output.ts";
import { line, pageOf, shortened } from "./answer.ts";
import { readArguments, schemaOf } from "./parameters.ts";
import type { Session } from "./session.ts";
import type { Tool } from "./tool.ts";
import { instructions, tools } from "./tools.ts";
import type { ClientCall } from "./workQueue.ts";

/** What the server says about its tools. */
export function listedTools() {
  return tools.map(({ name, description, parameters, onlyReads }) => ({
    name,
    description,
    inputSchema: schemaOf(parameters),
    ...(onlyReads === undefined ? {} : { annotations: { readOnlyHint: true } }),
  }));
}

/** The protocol over a session. */
export function createServer(session: Session): Server {
  const info = { name: "tracefold", version: packageVersion() };
  const server = new Server(info, { capabilities: { tools: {} }, instructions });
  server.onerror = ({ message }) => openOutput(2).write(`tracefold: ${message}\n`);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  // Not by the SDK's schema: its errors are those of a schema, and a call that is malformed should be told what to correct.
  server.fallbackRequestHandler = async ({ method, params = {} }, { signal, _meta, sendNotification }) => {
    if (method !== "tools/call") throw new McpError(ErrorCode.MethodNotFound, `there is no method ${method}`);
    const { name, arguments: given = {} } = params;
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `there is no tool ${JSON.stringify(name) ?? "without a name"}; there are ${tools.map((each) => each.name).join(", ")}`,
      );
    const token = _meta?.progressToken;
    let count = 0;
    const progress = (message: string) => {
      if (token === undefined || signal.aborted) return;
      const told = { progressToken: token, progress: ++count, message };
      sendNotification({ method: "notifications/progress", params: told }).catch((error: Error) =>
        server.onerror?.(error),
      );
    };
    return answerCall(tool, given, session, { signal, progress });
  };
  return server;
}

async function answerCall(tool: Tool, given: unknown, session: Session, call: ClientCall) {
  try {
    const answer = await tool.answer(readArguments(tool.parameters, given), session, call);
    const { id, from } = "lines" in answer ? { id: session.answers.add(answer), from: 0 } : answer;
    return { content: [{ type: "text" as const, text: pageOf(session.answers.get(id), from, id) }] };
  } catch (error) {
    return { content: [{ type: "text" as const, text: problemOf(error) }], isError: true };
  }
}

const longestProblem = 1500;
const mostTokensOfProblem = 600;

function problemOf(error: unknown): string {
  if (error instanceof TracefoldError) return shortened(formatError(error), longestProblem, mostTokensOfProblem);
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  openOutput(2).write(`tracefold: internal defect: ${stack ?? message}\n`);
  return `internal defect: ${line(message.split("\n")[0] ?? "")}. This is a bug in tracefold ${packageVersion()}; other calls still work.`;
}
