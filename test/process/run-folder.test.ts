import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createFolderOnce } from '../support/copy-data-dir.ts';
import { eventually } from '../support/eventually.ts';
import { createTempFolder } from '../support/server-process.ts';

const SCRIPT = fileURLToPath(new URL('./endless-test-run.ts', import.meta.url));

it('a stopped or killed test run leaves nothing behind, and the next run cleans up if the janitor was killed, too', async () => {
  const TMPDIR = await createTempFolder();
  const terminatedRun = await startRun(TMPDIR);
  const killedRun = await startRun(TMPDIR);
  for (const pid of [await findJanitor(killedRun.run), killedRun.run.pid!])
    process.kill(pid, 'SIGKILL');
  await once(killedRun.run, 'exit');
  const nextRun = await startRun(TMPDIR);
  await expect(access(killedRun.folder)).rejects.toThrow('ENOENT');
  for (const pid of killedRun.pids) expect(await isRunning(pid)).toBe(false);
  await access(terminatedRun.folder);
  for (const pid of [...terminatedRun.pids, ...nextRun.pids])
    expect(await isRunning(pid)).toBe(true);
  await killAndExpectGone(terminatedRun, 'SIGTERM');
  await killAndExpectGone(nextRun, 'SIGKILL');
});

/** Starts a test run that never ends by itself. */
async function startRun(TMPDIR: string) {
  const child = spawn(process.execPath, [SCRIPT], {
    env: { ...process.env, TMPDIR },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { run: child, ...(JSON.parse(String(line)) as { folder: string; pids: number[] }) };
}

/** Sends a signal to a run and waits until its processes and files are gone. */
async function killAndExpectGone(
  { run, folder, pids }: Awaited<ReturnType<typeof startRun>>,
  signal: NodeJS.Signals,
): Promise<void> {
  run.kill(signal);
  await eventually(() => expect(access(folder)).rejects.toThrow('ENOENT'));
  for (const pid of pids) expect(await isRunning(pid)).toBe(false);
}

async function findJanitor({ pid }: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.trim().split(' '))
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('janitor'))
      return Number(child);
  throw new Error('the run has no janitor');
}

/** Whether the process is alive. A zombie has an empty command line. */
async function isRunning(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}

it('a failed fixture fails every test that uses it, with the cause', async () => {
  const folder = join(await createTempFolder(), 'fixture');
  const createFixture = () => access(join(folder, 'data'));
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => createFolderOnce(folder, createFixture)),
  );
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      reason: {
        message: expect.stringContaining(
          `ENOENT: no such file or directory, access '${join(folder, 'data')}'`,
        ) as string,
      },
    });
});
