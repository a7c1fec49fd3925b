/** Has what a benchmark started be ended, and its files removed, also where it is interrupted. */
export function whenInterrupted(end: () => Promise<unknown>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void end().finally(() => process.exit(1)));
}
