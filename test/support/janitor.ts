import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
/** Time for PostgreSQL to exit and remove its shared memory, before SIGKILL. */
const SIGQUIT_TIMEOUT_MS = 15_000;

// Waits until the parent process exits (stdin closes), then kills all processes that use the folder, and removes it.
const [, , folder = ''] = process.argv;
await text(process.stdin);
for (let elapsedMs = 0; ; elapsedMs += POLL_MS) {
  const pids = await findProcesses();
  if (pids.length === 0) break;
  for (const pid of pids) kill(pid, elapsedMs < SIGQUIT_TIMEOUT_MS ? 'SIGQUIT' : 'SIGKILL');
  await sleep(POLL_MS);
}
await rm(folder, { recursive: true, force: true });

/** Processes whose working directory, arguments or environment contain the folder. Empty without /proc. */
async function findProcesses(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const uses = await Promise.all(pids.map(usesFolder));
  return pids.filter((_, index) => uses[index]);
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
