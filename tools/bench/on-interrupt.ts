/** Runs the cleanup of a benchmark when it is interrupted. */
export function onInterrupt(cleanUp: () => Promise<unknown>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}
