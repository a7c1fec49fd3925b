import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { createTempFolder } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import {
  countAccounts,
  createDatabase,
  failure,
  runCommand,
  runInTerminal,
} from './support/command-line.ts';

async function createDatabaseAndFile(content: string) {
  const { settings, db } = await createDatabase();
  await insertTestAccount(db);
  const file = join(await createTempFolder(), 'names.csv');
  await writeFile(file, content);
  return { settings, file, db };
}

it('a hundred accounts are created from a file, and their keys printed as CSV', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `name-${index}`);
  const { settings, file, db } = await createDatabaseAndFile(
    `display_name\r\n${names.join('\r\n')}\r\n`,
  );
  const { code, stdout, stderr } = await runCommand(settings, 'accounts', 'create', '--from', file);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [header, ...rows] = stdout.trimEnd().split('\r\n');
  expect(header).toBe('display_name,account_id,api_key');
  expect(rows.map((row) => /^"(.*?)","[0-9a-f-]{36}","np_\w+\.\w+"$/.exec(row)?.[1])).toEqual(
    names,
  );
  const [entry, ...others] = await listAuditEntries(db, { limit: 9 });
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ action: 'accounts create', via: 'command' });
  expect((entry!.detail as { accounts: string[] }).accounts).toHaveLength(100);
});

it('a terminal shows how many accounts have been created', async () => {
  const { settings, file } = await createDatabaseAndFile('display_name\nfirst-one\nsecond-one\n');
  const { output } = await runInTerminal(settings, ['accounts', 'create', '--from', file]);
  expect(output).toMatch(/\r2 of 2\r2 accounts\n/);
});

it('a file with invalid lines creates no account, and every line is reported', async () => {
  const { settings, file } = await createDatabaseAndFile(
    '"Jane Doe",jane@example.com\n\nadmin\nab\njane doe\nx y z\n',
  );
  const create = () => runCommand(settings, 'accounts', 'create', '--from', file);
  const result = await create();
  expect(result).toMatchObject({ code: 1, stdout: '' });
  // The two lines with the same name are created concurrently, so either one may fail.
  expect(result.stderr.replaceAll(/: .*/g, '')).toMatch(
    /^(?:Line 1\n)?Line 3\nLine 4\n(?:Line 5\n)?No account was created\.\n$/,
  );
  expect(result.stderr).toMatch(/^Line [15]: .*already taken/m);
  expect(await countAccounts(settings)).toBe(1);
  // The same command succeeds after the file is corrected.
  await writeFile(file, 'Jane Doe\nx y z\n');
  expect(await create()).toMatchObject({ code: 0 });
  expect(await countAccounts(settings)).toBe(3);
});

it('accounts cannot be created from a file before the first operator exists', async () => {
  const { settings } = await createDatabase();
  const file = join(await createTempFolder(), 'names.csv');
  await writeFile(file, 'jane-doe\n');
  expect(await runCommand(settings, 'accounts', 'create', '--from', file)).toMatchObject(
    failure(expect.stringContaining('Create yours first')),
  );
  expect(await countAccounts(settings)).toBe(0);
});

it('a missing or empty file is reported', async () => {
  const { settings, file } = await createDatabaseAndFile('display_name\n');
  expect(await runCommand(settings, 'accounts', 'create', '--from', `${file}.missing`)).toEqual(
    failure(`The file cannot be read: ENOENT: no such file or directory, open '${file}.missing'.`),
  );
  expect((await runCommand(settings, 'accounts', 'create', '--from', file)).stderr).toBe(
    `${file} contains no names.\n`,
  );
});
