import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
/** Processes get SIGQUIT for this long, so that PostgreSQL can remove its shared memory. */
const SIGQUIT_TIMEOUT_MS = 15_000;

// Waits until the parent process exits, which closes stdin. Then kills all processes that use the
// folder, and deletes the folder.
const [, , folder = ''] = process.argv;
await text(process.stdin);
for (let elapsedMs = 0; ; elapsedMs += POLL_MS) {
  const pids = await findPids();
  if (pids.length === 0) break;
  for (const pid of pids) kill(pid, elapsedMs < SIGQUIT_TIMEOUT_MS ? 'SIGQUIT' : 'SIGKILL');
  await sleep(POLL_MS);
}
await rm(folder, { recursive: true, force: true, maxRetries: 10 });

/** Finds processes whose working directory, arguments or environment name the folder, in /proc. */
async function findPids(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const matches = await Promise.all(pids.map(usesFolder));
  return pids.filter((_, index) => matches[index]);
}

async function usesFolder(pid: number): Promise<boolean> {
  const texts = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
  ]);
  return texts.some((value) => value.includes(folder));
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}
