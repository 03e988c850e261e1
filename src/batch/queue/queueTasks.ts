import type { KeyedTask } from "../doAll.ts";
import type { PoolLimits, TaskDoer } from "../pool/pool.ts";
export async function queueTasks(_url: string, _limits: PoolLimits): Promise<TaskDoer<KeyedTask>> {
  throw new Error("later");
}
