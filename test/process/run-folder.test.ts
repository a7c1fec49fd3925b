import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeOnce } from '../support/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/server-process.ts';

const SCRIPT = fileURLToPath(new URL('./killed-run.ts', import.meta.url));

it('a test run that is ended or killed leaves nothing; if its janitor was killed as well, the next run removes what it left', async () => {
  const TMPDIR = await temporaryFolder();
  const other = await startRun(TMPDIR);
  const killed = await startRun(TMPDIR);
  for (const pid of [await janitorOf(killed.run), killed.run.pid!]) process.kill(pid, 'SIGKILL');
  await once(killed.run, 'exit');
  const next = await startRun(TMPDIR);
  await expect(access(killed.folder)).rejects.toThrow('ENOENT');
  for (const pid of killed.pids) expect(await isRunning(pid)).toBe(false);
  await access(other.folder);
  for (const pid of [...other.pids, ...next.pids]) expect(await isRunning(pid)).toBe(true);
  await expectGone(other, 'SIGTERM');
  await expectGone(next, 'SIGKILL');
});

/** Starts a run of tests that ends when it is killed. */
async function startRun(TMPDIR: string) {
  const run = spawn(process.execPath, [SCRIPT], {
    env: { ...process.env, TMPDIR },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(run.stdout, 'data')) as [Buffer];
  return { run, ...(JSON.parse(String(line)) as { folder: string; pids: number[] }) };
}

/** Ends a run and waits until everything of it is gone. */
async function expectGone(
  { run, folder, pids }: Awaited<ReturnType<typeof startRun>>,
  signal: NodeJS.Signals,
): Promise<void> {
  run.kill(signal);
  await eventually(() => expect(access(folder)).rejects.toThrow('ENOENT'));
  for (const pid of pids) expect(await isRunning(pid)).toBe(false);
}

async function janitorOf({ pid }: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.trim().split(' '))
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('janitor'))
      return Number(child);
  throw new Error('the run has no janitor');
}

/** Whether it has not ended; one that nobody has reaped yet has no command line any more. */
async function isRunning(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}

it('a fixture that cannot be made fails for all that want it, and names its cause', async () => {
  const folder = join(await temporaryFolder(), 'fixture');
  const make = () => access(join(folder, 'data'));
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => makeOnce(folder, make)));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      reason: {
        message: expect.stringContaining(
          `ENOENT: no such file or directory, access '${join(folder, 'data')}'`,
        ) as string,
      },
    });
});
