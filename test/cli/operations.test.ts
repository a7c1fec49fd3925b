import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { insertMetrics } from '#db/queries/metrics.ts';
import { insertOperator } from '#db/queries/operators.ts';
import { createTempFolder } from '../support/server-process.ts';
import { useServer } from '../support/use-server.ts';
import {
  type Settings,
  failure,
  runCommand,
  runJson,
  spawnCommand,
} from './support/command-line.ts';

const { server, account } = useServer({ account: true });
let settings: Settings;
beforeAll(async () => {
  const { database, app } = server;
  await database.db.transaction().execute((trx) => insertOperator(trx, account.id));
  await database.db.updateTable('api_keys').set({ scope: 'operator' }).execute();
  settings = {
    NAMEPLATE_BASE_URL: await app.listen({ port: 0, host: '127.0.0.1' }),
    NAMEPLATE_API_KEY: account.key,
  };
});

const runApi = (...args: string[]) => runCommand(settings, ...args);
const callApi = <Result>(...args: string[]) => runJson(settings, ...args) as Promise<Result>;

async function createFile(name: string, content: string | Buffer): Promise<string> {
  const file = join(await createTempFolder(), name);
  await writeFile(file, content);
  return file;
}

async function createProject(): Promise<string> {
  const create = ['projects.createProject', '--name', 'Shop'];
  const { project } = await callApi<{ project: { id: string } }>(...create);
  return project.id;
}

it('an operation on the command line prints JSON, with --json in one line', async () => {
  expect((await runApi('keys.listKeys')).stdout).toMatch(/^\{\n {2}"keys": \[/);
  expect((await runApi('keys.listKeys', '--json')).stdout).toMatch(/^\{"keys":.*\n$/);
});

it('an operation on the command line is listed by area, and shows its fields with limits and an example', async () => {
  const list = (await runApi('--help')).stdout;
  expect(list).toMatch(/\nkeys:\n {2}keys\.listKeys +List the keys\n {2}keys\.listRequests /);
  expect(list).toMatch(/\n {2}invitations\.createInvitations +Invite a list of people\n/);
  for (const args of [['keys'], ['keys', '--help']]) {
    const { stdout } = await runApi(...args);
    expect(stdout).toMatch(/^Usage: nameplate <operation> \[options\]\n/);
    expect(stdout.match(/^[a-zA-Z]+:\n|^ {2}[a-z]+\.\w+|^ {2}nameplate keys$/gm)).toEqual([
      ...['Options:\n', 'keys:\n', '  keys.listKeys', '  keys.listRequests'],
      ...['  keys.createKey', '  keys.revokeKey', 'Examples:\n', '  nameplate keys'],
    ]);
  }
  const { stdout } = await runApi('keys.createKey', '--help');
  expect(stdout).toMatch(/--label <text> +The label of the key, such as its\s+purpose\. At most/);
  expect(stdout).toContain('--scope <all|read|page|metrics|operator>');
  expect(stdout).toContain(
    "Example:\n  nameplate keys.createKey --account jane-doe --label 'status page'\n",
  );
  const required = await runApi('projects.createProject', '--help');
  expect(required.stdout).toMatch(/--name <text> +Required\. /);
  // Without an address, the server would refuse it.
  expect((await runApi('clients.createClient', '--help')).stdout).toContain(
    `clients.createClient --name 'Club wiki' --redirect-uris '["https://wiki.example.org/callback"]' --allowed everybody\n`,
  );
});

it('an operation on the command line reads values from files and standard input', async () => {
  const line = 'José,jose@example.com\n';
  const files = {
    UTF8: Buffer.from(`name,email\n${line}`),
    Excel: Buffer.from(`name,email\n${line}`, 'latin1'),
    'Excel Unicode': Buffer.from(`\uFEFFname\temail\n${line.replace(',', '\t')}`, 'utf16le'),
  };
  const expected = { members: [{ name: 'José', email: 'jose@example.com' }] };
  for (const [name, content] of Object.entries(files)) {
    const file = await createFile(name, content);
    expect(await callApi('invitations.checkInvitations', '--csv', `@${file}`)).toMatchObject(
      expected,
    );
  }
  const { stdin } = process;
  onTestFinished(() => void Object.defineProperty(process, 'stdin', { value: stdin }));
  Object.defineProperty(process, 'stdin', { value: Readable.from([files.UTF8]) });
  expect(
    await callApi('invitations.createInvitations', '--csv', '-', '--mail', 'false'),
  ).toMatchObject({
    invited: 1,
  });
  const binary = await createFile('list.zip', Buffer.from('PK\u0003\u0004\0\0'));
  for (const [file, message] of [
    [binary, ' is not a text file.'],
    ['a.csv', " cannot be read (ENOENT: no such file or directory, open 'a.csv')."],
  ] as const)
    expect(await runApi('invitations.checkInvitations', '--csv', `@${file}`)).toEqual(
      failure(file + message),
    );
});

it('an operation on the command line sends a whole body, changed by fields, null and a text that begins with @', async () => {
  const body = await createFile('instance.json', '{"name":"Club","line":"A line"}');
  const update = ['server.updateInstance', '--body', `@${body}`];
  expect(await callApi(...update, '--line', 'null', '--welcome', '@@all')).toMatchObject({
    instance: { name: 'Club', line: null, welcome: '@all' },
  });
  const misspelled = ['page.updateFrontPage', '--body', '{"visible":false,"shwn\\u001b":true}'];
  expect(await runApi(...misspelled)).toMatchObject({
    code: 0,
    stderr: 'Warning: shwn\\u001b had no effect.\n',
  });
  expect(await runApi('server.updateInstance', '--body', '[]')).toMatchObject(
    failure('The body is not a JSON object.'),
  );
});

it('an operation on the command line takes a list that is separated by commas', async () => {
  const ids = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11,0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';
  expect(await callApi('invitations.sendInvitations', '--invitation-ids', ids)).toMatchObject({
    resent: 0,
  });
});

it('an operation on the command line reads all batches of a list with --all', async () => {
  for (let count = 0; count < 3; count += 1) await server.createAccount();
  const list = ['members.listMembers', '--limit', '2'];
  type Members = { members: { id: string }[] };
  expect((await callApi<Members>(...list)).members).toHaveLength(2);
  const { members } = await callApi<Members>(...list, '--all');
  const rows = await server.db.selectFrom('accounts').select('id').execute();
  expect(members.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

it('an operation on the command line prints the error code of a refusal, with --json also the field', async () => {
  const rename = ['account.updateAccountName', '--display-name', 'admin'];
  const error = 'The display name admin is not available.';
  expect(await runApi(...rename)).toEqual(failure(`${error} (displayNameReserved)`));
  const { code, stderr } = await runApi(...rename, '--json');
  expect({ code, error: JSON.parse(stderr) as unknown }).toEqual({
    code: 1,
    error: { error, code: 'displayNameReserved', field: 'display_name' },
  });
});

it.each([
  [['pictures.uploadPicture'], 2, 'error: --body is missing\n'],
  [
    ['keys.listKeys', '--base-url', 'http://127.0.0.1:1'],
    1,
    'http://127.0.0.1:1/owner/keys/list-keys failed',
  ],
  [['keys.listKeys', '--base-url', 'ftp://example.com'], 1, 'must be an http or https URL'],
  [['keys.listKeys', '--account', 'jane'], 1, '--account works only without --base-url'],
  [['keys.listKeys', '--base-url', ''], 2, 'error: --account is missing (or --base-url, '],
])('an operation on the command line explains %j', async (args, code, message) => {
  const result = await runApi(...args);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toContain(message);
});

it('an operation on the command line needs a key, which it never prints', async () => {
  const listWith = (key: string) =>
    runCommand({ ...settings, NAMEPLATE_API_KEY: key }, 'keys.listKeys');
  expect(await listWith('')).toEqual(
    failure(
      'Set NAMEPLATE_API_KEY to an API key. nameplate keys.createKey creates one on the server.',
    ),
  );
  const other = await server.createAccount();
  const { stderr: refusal } = await runCommand(
    { ...settings, NAMEPLATE_API_KEY: other.key },
    'members.listMembers',
  );
  expect(refusal).toContain('Without --base-url and NAMEPLATE_BASE_URL, the command works on');
  const { stderr } = await listWith('np_a b');
  expect(stderr).toContain('must be visible ASCII characters');
  expect(stderr).not.toContain('np_a');
});

async function createMetrics(...payloads: object[]): Promise<string[]> {
  const projectId = await createProject();
  const metrics = payloads.map((payload) => ({
    accountId: account.id,
    projectId,
    payload: JSON.stringify(payload),
  }));
  await insertMetrics(server.db, metrics);
  return ['metrics.exportMetrics', '--project-id', projectId];
}

it('the download of a file goes to standard output, or to a file that only its owner can read', async () => {
  const download = await createMetrics({ visitors: 7 });
  const { stdout } = await runApi(...download);
  expect(JSON.parse(stdout)).toMatchObject({ payload: { visitors: 7 } });
  const file = await createFile('metrics.jsonl', 'before');
  const saved = await runApi(...download, '--output', file);
  expect(saved).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await readFile(file, 'utf8')).toBe(stdout);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('the download of a file that fails leaves the file as it was', async () => {
  const file = await createFile('metrics.csv', 'before');
  const project = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';
  const download = ['metrics.exportMetrics', '--project-id', project];
  expect(await runApi(...download, '--output', file)).toMatchObject({ code: 1, stdout: '' });
  expect(await readFile(file, 'utf8')).toBe('before');
  const missing = join(file, '..', 'missing', 'metrics.csv');
  expect((await runApi(...(await createMetrics()), '--output', missing)).stderr).toMatch(
    /^The metrics could not be exported\. \(ENOENT: .*\)\n$/,
  );
});

it('the download of a file cannot control the terminal', async () => {
  const text = 'a\u001b[2Jb\u009b2Jc\u202ed';
  const download = await createMetrics({ text });
  const { isTTY } = process.stdout;
  onTestFinished(() => void (process.stdout.isTTY = isTTY));
  process.stdout.isTTY = true;
  const { stdout } = await runApi(...download);
  expect(stdout).toContain('a\\u001b[2Jb\\u009b2Jc\\u202ed');
  expect(JSON.parse(stdout)).toMatchObject({ payload: { text } });
  process.stdout.isTTY = false;
  expect((await runApi(...download)).stdout).toContain(JSON.stringify(text));
});

it('the download of a file ends when the reader closes the pipe', async () => {
  const download = await createMetrics(
    ...(Array(500).fill({ text: 'x'.repeat(10_000) }) as object[]),
  );
  const { child, exited } = spawnCommand(settings, ...download);
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await exited).toEqual({ code: 0, signal: null, stderr: '' });
});
