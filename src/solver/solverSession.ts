import type { Cancellation } from "../base/cancellation.ts";
import { Defect } from "../base/errors.ts";
import { findError, unknownOfLost } from "./answers.ts";
import { createRemoteStack, type RemoteStack } from "./assertionStack.ts";
import type { Backend, Reply, SolverConnection } from "./backend/backend.ts";
import { type Limits, type Unknown, unknown } from "./solver.ts";

/** A solver identifies itself at once; how long we wait depends on the limit of the check. */
const leastGreeting = 700;
const mostGreeting = 10_000;

/** A solver gets this much longer than its time limit before it is ended from outside. */
export const graceMilliseconds = 300;

/** A process that identified itself correctly. */
export type OpenSolver = {
  readonly kind: "open";
  readonly connection: SolverConnection;
  readonly stack: RemoteStack;
  /** The limits it was started with or last told; null if none. */
  limits: Limits | null;
  greeted: boolean;
};

/** One solver process at a time: started on demand, and again after it was lost. */
export type SolverSession = {
  readonly name: string;
  readonly backend: Backend;
  /** The process, started if there is none; keeps the first back end that identifies itself correctly. */
  start(limits: Limits): OpenSolver | Unknown;
  /** Starts a process without waiting for it. */
  prepare(): void;
  /** Empties the process, if there is one, without ending it. */
  restart(): void;
  close(): void;
  /** Why there is no answer after a process was lost. */
  lost(reply: Extract<Reply, { kind: "lost" }>): Unknown;
  dispose(): void;
};

export function createSolverSession(
  backends: readonly [Backend, ...Backend[]],
  defaults: Limits,
  cancellation: Cancellation,
): SolverSession {
  let [backend] = backends;
  let open: OpenSolver | null = null;
  let version = "";
  let disposed = false;

  const connect = (limits: Limits): OpenSolver => {
    if (disposed) throw new Defect("solver is disposed");
    const told = backend.limitCommands === null ? limits : null;
    const connection = backend.open(limits, cancellation);
    return { kind: "open", connection, stack: createRemoteStack(), limits: told, greeted: false };
  };
  const close = () => {
    open?.connection.close();
    open = null;
  };
  const start = (limits: Limits): OpenSolver | Unknown => {
    if (open !== null && backend.limitCommands === null && !equalLimits(open.limits, limits)) close();
    open ??= connect(limits);
    if (open.greeted) return open;
    const greeting = greet(backend, open.connection, limits);
    if (greeting.kind === "version") {
      version = greeting.version;
      open.greeted = true;
      return open;
    }
    close();
    const next = backends[backends.indexOf(backend) + 1];
    if (version !== "" || next === undefined) return greeting;
    backend = next;
    return start(limits);
  };
  const session: SolverSession = {
    get name() {
      if (version === "") return backend.name;
      return `${backend.identity.toLowerCase()} ${version}${backend.name === "wasm" ? " (embedded)" : ""}`;
    },
    get backend() {
      return backend;
    },
    start,
    prepare() {
      open ??= connect(defaults);
    },
    restart() {
      if (open === null || !open.greeted) return;
      const reply = open.connection.restart(backend.options, mostGreeting);
      if (reply.kind === "lost" || findError(reply.text) !== null) return close();
      open = { ...open, stack: createRemoteStack(), limits: backend.limitCommands === null ? open.limits : null };
    },
    close,
    lost(reply) {
      close();
      // Starts the successor now, so that it is ready for the next question.
      if (!disposed && (reply.cause === "time" || reply.cause === "memory")) session.prepare();
      return unknownOfLost(reply);
    },
    dispose() {
      disposed = true;
      close();
    },
  };
  return session;
}

/** The identity of a process, or why it is not the required solver. */
function greet(
  backend: Backend,
  connection: SolverConnection,
  { milliseconds }: Limits,
): { readonly kind: "version"; readonly version: string } | Unknown {
  const patience = Math.min(Math.max(leastGreeting, milliseconds + graceMilliseconds), mostGreeting);
  const wait = milliseconds === 0 ? mostGreeting : patience;
  const reply = connection.exchange(`${backend.options}(get-info :name)(get-info :version)`, wait);
  if (reply.kind === "lost") return unknownOfLost(reply);
  const name = /:name\s+"([^"]*)"/.exec(reply.text)?.[1];
  if (name !== backend.identity || findError(reply.text) !== null) {
    const said = JSON.stringify(reply.text.trim().slice(0, 100));
    return unknown("failure", `the solver should identify itself as ${backend.identity}, but says ${said}`);
  }
  return { kind: "version", version: /:version\s+"([^"]*)"/.exec(reply.text)?.[1] ?? "?" };
}

export function equalLimits(a: Limits | null, b: Limits): boolean {
  return a !== null && a.resources === b.resources && a.milliseconds === b.milliseconds;
}
