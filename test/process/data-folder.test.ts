import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { EmbeddedDatabaseError } from '#db/embedded/embedded-database-error.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { openAsServer } from '../support/open-as-server.ts';
import { fetchJson, readFirstKey, startServer } from '../support/server-process.ts';

/** Opens and closes the database like a server. Returns the messages for the operator. */
async function readMessages(DATA_DIR: string): Promise<string> {
  const messages: string[] = [];
  const onMessage = (message: string) => void messages.push(message);
  await (await openAsServer({ DATA_DIR }, { onMessage })).close();
  return messages.join('\n');
}

it('a later start keeps the account, and a second server is refused', async () => {
  const DATA_DIR = await copyDataDir();
  const firstKey = await readFirstKey(DATA_DIR);
  const server = await startServer({ DATA_DIR });
  expect(server.stderr()).toMatch(
    /^To log in to the dashboard: DATA_DIR=\S+ npx nameplate login$/m,
  );
  expect(server.stderr()).not.toContain('first start');
  expect(await readFirstKey(DATA_DIR)).toEqual(firstKey);

  await expect(readMessages(DATA_DIR)).rejects.toThrow(
    new EmbeddedDatabaseError(
      `Another process (${server.pid}) is using the data folder ${DATA_DIR}; stop it, or choose another DATA_DIR.`,
    ),
  );
  expect(await fetchJson(`${server.url}/readyz`)).toMatchObject({ status: 200 });
  expect(
    await fetchJson(`${server.url}/account/get-display-name`, { key: firstKey.key }),
  ).toMatchObject({ status: 200 });
  await server.stop();
  expect((await readdir(DATA_DIR)).filter((name) => name.includes('lock'))).toEqual([]);
});

it.runIf(process.getuid?.() === 0)(
  'a start as root warns only if no other user owns the database',
  async () => {
    const startAs = async (name: string) => {
      const DATA_DIR = await copyDataDir();
      execFileSync('chown', ['-R', `${name}:`, DATA_DIR]);
      return readMessages(DATA_DIR);
    };
    expect(await startAs('nobody')).toContain('Other programs of the user "nobody" can read');
    expect(await startAs('daemon')).not.toContain('nobody');
  },
);
