import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { formatError, TracefoldError } from "../base/errors.ts";

/** Answers a request: what it returns is the body of the response. Errors are answers with a message. */
export type Handlers = Readonly<Record<string, Handler>>;
/** Each handler knows the arguments of its own request. */
type Handler = { handle(given: never): unknown }["handle"];

/** The part of the connection that handlers use. */
export type Client = {
  send(event: string, body?: object): void;
  /** Does something when the response to the current request was sent. */
  afterwards(action: () => void): void;
};

/** Speaks the Debug Adapter Protocol on a pair of streams. */
export class EditorConnection extends ProtocolServer implements Client {
  readonly #handlers: Handlers;
  #waiting: (() => void)[] = [];

  constructor(handlersFor: (client: Client) => Handlers) {
    super();
    this.#handlers = handlersFor(this);
  }

  send(event: string, body: object = {}): void {
    this.sendEvent({ seq: 0, type: "event", event, body });
  }

  afterwards(action: () => void): void {
    this.#waiting.push(action);
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    void this.#answer(request);
  }

  async #answer({ seq, command, arguments: given }: DebugProtocol.Request): Promise<void> {
    const response = { seq: 0, type: "response", request_seq: seq, command };
    try {
      const handler = this.#handlers[command];
      if (handler === undefined)
        throw new TracefoldError({ code: "TF130", message: `the request ${command} is not supported` });
      // Only requests that run the program take time.
      const pending = handler((given ?? {}) as never);
      const body = pending instanceof Promise ? await pending : pending;
      this.sendResponse({ ...response, success: true, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      this.sendResponse({ ...response, success: false, ...problemOf(error) });
    }
    const actions = this.#waiting;
    this.#waiting = [];
    for (const action of actions) action();
  }
}

function problemOf(error: unknown) {
  if (error instanceof TracefoldError) {
    const format = formatError(error).replaceAll(/[{}]/g, "");
    return { message: format, body: { error: { id: 1, format, showUser: true } } };
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  process.stderr.write(`tracefold: internal defect: ${stack ?? message}\n`);
  const format = `internal defect: ${message}`.replaceAll(/[{}]/g, "");
  return { message: format, body: { error: { id: 70, format, showUser: true } } };
}
