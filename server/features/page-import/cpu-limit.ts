/** Only malicious sources take longer, because 500 kB of a page take about 200 ms. */
const MAX_CPU_MS = 1_000;

/** Throws a `RangeError` once this thread has computed for too long. */
export type CheckCpuTime = () => void;

export function limitCpuTime(): CheckCpuTime {
  const start = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(start);
    if (user + system > 1_000 * MAX_CPU_MS) throw new RangeError('This takes too long.');
  };
}
