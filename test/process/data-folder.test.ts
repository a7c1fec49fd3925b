import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { dataFolder } from '../support/data-folder.ts';
import { fetchJson, spawnServer, startServer } from '../support/server-process.ts';

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
