import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { findDatabasePid, startServer, createTempFolder } from '../support/server-process.ts';
import {
  countAccounts,
  failure,
  runCommand,
  runCommandProcess,
  runJson,
} from './support/command-line.ts';

it('commands with the embedded database of a data folder start it temporarily, and the last of several concurrent commands stops it', async () => {
  const settings = { DATA_DIR: join(await createTempFolder(), 'data') };
  const result = await runCommand(settings, 'migrate', '--json');
  expect(JSON.parse(result.stdout)).toMatchObject({
    migrations: expect.arrayContaining(['0001-initial']) as string[],
  });
  expect(result.stderr).toBe(
    `There was no database in ${settings.DATA_DIR}, so an empty one was created. If your data is elsewhere, set DATA_DIR to its folder.\n`,
  );
  expect(await findDatabasePid(settings.DATA_DIR)).toBeUndefined();
  const accounts = await Promise.all(
    ['jane', 'joe'].map((name) =>
      runCommandProcess(settings, 'members.createMember', '--display-name', name),
    ),
  );
  expect(accounts.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    accounts.map(() => ({ code: 0, stderr: '' })),
  );
  expect(await countAccounts(settings)).toBe(2);
  expect(await findDatabasePid(settings.DATA_DIR)).toBeUndefined();
  const files = await readdir(settings.DATA_DIR);
  // Root gets a copy of the programs if the database user cannot read the originals.
  expect(files.filter((name) => !/^programs-[\d.]+(?:-[\w.]+)?$/.test(name)).toSorted()).toEqual([
    'nameplate.json',
    'postgresql-18',
    'postgresql.log',
  ]);
});

it('commands with the embedded database of a data folder use the database of a running server, and stop one that a killed server left running', async () => {
  const settings = { DATA_DIR: await copyDataDir() };
  const server = await startServer(settings);
  const { url } = server;
  const pid = await findDatabasePid(settings.DATA_DIR);
  const check = { ...settings, PUBLIC_URL: url };
  const { findings } = (await runJson(check, 'check')) as { findings: { title: string }[] };
  expect(findings.filter(({ title }) => title === 'Address')).toMatchObject([
    { code: 'addressSet', value: new URL(url).host },
  ]);
  expect(await countAccounts(settings)).toBe(1);
  const { members } = (await runJson(settings, 'members.listMembers')) as {
    members: { id: string }[];
  };
  // Links have the port of the server, whatever PORT says.
  const login = ['login', '--account', members[0]!.id];
  const { login_url } = (await runJson({ ...settings, PORT: '4000' }, ...login)) as {
    login_url: string;
  };
  expect(new URL(login_url).origin).toBe(`http://localhost:${new URL(url).port}`);
  expect((await fetch(login_url)).status).toBe(200);
  expect(await findDatabasePid(settings.DATA_DIR)).toBe(pid);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  server.signal('SIGKILL');
  await server.exited;
  for (const command of ['members.listMembers', 'check']) {
    await runJson(settings, command);
    expect(await findDatabasePid(settings.DATA_DIR)).toBeUndefined();
  }
});

it('commands with the embedded database of a data folder never create one by mistake', async () => {
  const DATA_DIR = join(await createTempFolder(), 'data');
  expect(await runCommand({ DATA_DIR }, 'members.listMembers')).toEqual(
    failure(
      `There is no database in ${DATA_DIR}; start the server once, run nameplate migrate, or set DATA_DIR or DATABASE_URL to where it is.`,
    ),
  );
  await expect(readdir(DATA_DIR)).rejects.toThrow('ENOENT');
});
