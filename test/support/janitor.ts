import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
/** Time for PostgreSQL to end by itself and to remove its shared memory. */
const PATIENCE_MS = 15_000;

// Waits until whoever holds the other end has ended, and removes the folder with all that runs in it.
const [, , folder = ''] = process.argv;
await text(process.stdin);
for (let waited = 0; ; waited += POLL_MS) {
  const pids = await findProcesses();
  if (pids.length === 0) break;
  for (const pid of pids) end(pid, waited < PATIENCE_MS ? 'SIGQUIT' : 'SIGKILL');
  await sleep(POLL_MS);
}
await rm(folder, { recursive: true, force: true });

/** Processes that work in the folder, or that were started with a path in it; none where there is no /proc. */
async function findProcesses(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const uses = await Promise.all(pids.map(isInFolder));
  return pids.filter((_, index) => uses[index]);
}

async function isInFolder(pid: number): Promise<boolean> {
  const about = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
  ]);
  return about.some((words) => words.includes(folder));
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}
