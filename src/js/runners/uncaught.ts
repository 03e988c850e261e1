/**
 * Work that also fails if an error reaches nobody meanwhile: one that a listener or a timer throws. `note` is called
 * before.
 */
export async function withUncaught<T>(work: Promise<T>, note: () => void = () => {}): Promise<T> {
  const heard: { fail?: (error: unknown) => void } = {};
  const failure = new Promise<never>((_, reject) => {
    heard.fail = (error) => {
      note();
      reject(error ?? new Error(`threw ${String(error)}`));
    };
  });
  const hear = (error: unknown): void => heard.fail?.(error);
  process.on("uncaughtException", hear);
  process.on("unhandledRejection", hear);
  try {
    return await Promise.race([work, failure]);
  } finally {
    process.off("uncaughtException", hear);
    process.off("unhandledRejection", hear);
  }
}
