import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_MS = 30_000;
/**
 * Processor time in an interval: jobs alone need 250 ms, and the collection pauses a little traffic
 * once, for about 100 ms.
 */
const IDLE_MS = 600;
const BUSY_MS = 1_000;

/** Compacts the heap, and gives the free memory back to the system. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NonNullable<typeof gc>;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Returns a function that is called after each interval and says whether to collect then. */
export function createIdleDetector(): (processorMs: number) => boolean {
  let wasBusy = false;
  return (processorMs) => {
    const isDue = wasBusy && processorMs <= IDLE_MS;
    if (isDue) wasBusy = false;
    else wasBusy ||= processorMs >= BUSY_MS;
    return isDue;
  };
}

/**
 * V8 keeps the memory that the start and a load needed, up to 80 MB, because it does not collect
 * while nothing is allocated. So this collects now, and whenever the server is idle after a load.
 */
export function returnMemory(): () => void {
  collectGarbage();
  const shouldCollect = createIdleDetector();
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (shouldCollect((user + system) / 1_000)) collectGarbage();
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}
