import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeOnce } from '../support/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/server-process.ts';

const SCRIPT = fileURLToPath(new URL('./killed-run.ts', import.meta.url));

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'a test run that %s ends leaves no file, no database and no other process behind',
  async (signal) => {
    const TMPDIR = await temporaryFolder();
    const run = spawn(process.execPath, [SCRIPT], {
      env: { ...process.env, TMPDIR },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(run.stdout, 'data')) as [Buffer];
    const { folder, pids } = JSON.parse(String(line)) as { folder: string; pids: number[] };
    for (const pid of pids) expect(await isRunning(pid)).toBe(true);
    run.kill(signal);
    await eventually(() => expect(access(folder)).rejects.toThrow('ENOENT'));
    for (const pid of pids) expect(await isRunning(pid)).toBe(false);
  },
);

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
