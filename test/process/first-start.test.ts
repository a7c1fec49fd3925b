import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchJson, startServer, temporaryFolder } from '../support/server-process.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

/** The words of a command line, as a shell reads them. */
function shellWords(line: string): string[] {
  const printed = execFileSync('sh', ['-c', line.replace(/^\s*curl /, "printf '%s\\n' ")]);
  return printed.toString().trimEnd().split('\n');
}

describe('the first start on an empty data folder', () => {
  it('says where it listens and where the data is, and gives a key with a curl line that works; the second start gives none', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'new', 'data');
    const first = await startServer({ DATA_DIR });
    expect(first.said()).toContain(
      `Nameplate listens on ${first.url} and keeps its data in the embedded database in ${DATA_DIR}.`,
    );
    const [, key = ''] = await first.waitFor(/^ {2}(np_\S+)$/m);
    await first.waitFor(/^The API reference is at \S+\/docs\.$/m);
    const [line] = await first.waitFor(/^ {2}curl .*$/m);
    expect(shellWords(line)).toEqual([
      '-H',
      `X-API-KEY: ${key}`,
      `${first.url}/account/get-display-name`,
    ]);
    expect(await fetchJson(`${first.url}/account/get-display-name`, { key })).toEqual({
      status: 200,
      body: { display_name: '' },
    });
    const [, project] = await first.waitFor(/It has one project, (\S+),/);
    expect(await fetchJson(`${first.url}/stats/get-projects`, { key })).toEqual({
      status: 200,
      body: {
        projects: [
          { id: project, name: 'My first project', created_at: expect.any(String) as string },
        ],
      },
    });
    await first.waitFor(new RegExp(`^  export KEY=${key} PROJECT=${project}$`, 'm'));
    expect((await stat(DATA_DIR)).mode & 0o077).toBe(0);
    first.signal('SIGTERM');
    expect(await first.exit).toBe(0);

    const second = await startServer({ DATA_DIR });
    expect(second.said()).not.toContain('np_');
    expect(second.said()).not.toContain('first start');
    expect(await fetchJson(`${second.url}/account/get-display-name`, { key })).toMatchObject({
      status: 200,
    });
  });
});

describe('the first start on a PostgreSQL server', () => {
  it('makes the schema and no account, and says no password', async () => {
    const url = await createPostgresDatabase();
    const server = await startServer({ DATABASE_URL: url });
    expect(server.said()).toContain(`PostgreSQL at ${new URL(url).host}.`);
    await server.waitFor(/^There is no account yet\. .* accounts create$/m);
    expect(server.said()).not.toContain('np_');
    expect(server.said() + server.logged()).not.toContain(url);
    expect(await fetchJson(`${server.url}/readyz`)).toEqual({
      status: 200,
      body: { status: 'ready' },
    });
    const database = connectPostgresDatabase(url);
    expect(await database.db.selectFrom('accounts').selectAll().execute()).toEqual([]);
    await database.close();
  });
});
