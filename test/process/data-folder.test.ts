import { execFileSync } from 'node:child_process';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder } from '../support/data-folder.ts';
import { fetchJson, spawnServer, startServer, temporaryFolder } from '../support/server-process.ts';

it('a second server on the same data folder is refused in one sentence, and the first goes on', async () => {
  const DATA_DIR = await dataFolder();
  const first = await startServer({ DATA_DIR });
  const second = spawnServer({ DATA_DIR });
  expect(await second.exit).toBe(1);
  expect(second.said()).toBe(
    `Another process (${first.pid}) is using the data folder ${DATA_DIR}; stop it, or choose another DATA_DIR.\n`,
  );
  expect(await fetchJson(`${first.url}/readyz`)).toMatchObject({ status: 200 });
  first.signal('SIGTERM');
  expect(await first.exit).toBe(0);
  expect((await readdir(DATA_DIR)).filter((name) => name.includes('lock'))).toEqual([]);
});

it('a start on the data of another installation names it, once', async () => {
  const DATA_DIR = await dataFolder();
  const marker = join(DATA_DIR, 'nameplate.json');
  const made = JSON.parse(await readFile(marker, 'utf8')) as object;
  await writeFile(marker, JSON.stringify({ ...made, installation: '/srv/first/' }));
  const said = `The data in ${DATA_DIR} was last used by another installation of Nameplate, in /srv/first/.\n`;
  const first = await startServer({ DATA_DIR });
  expect(first.said()).toContain(said);
  first.signal('SIGTERM');
  await first.exit;
  const second = await startServer({ DATA_DIR });
  expect(second.said()).not.toContain('another installation');
});

it.runIf(process.getuid?.() === 0)(
  'a start by root warns where the database belongs to nobody, and nowhere else',
  async () => {
    const startAs = async (name: string) => {
      const DATA_DIR = join(await temporaryFolder(), 'data');
      await mkdir(DATA_DIR);
      const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, name])),
      );
      await chown(DATA_DIR, uid, gid);
      return startServer({ DATA_DIR });
    };
    const [nobodys, daemons] = await Promise.all(['nobody', 'daemon'].map(startAs));
    expect(nobodys!.said()).toContain('PostgreSQL runs as nobody, so every program');
    expect(daemons!.said()).not.toContain('nobody');
  },
);
