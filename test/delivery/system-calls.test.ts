import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createImage } from '../support/pictures.ts';
import { spawnServer } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

async function listAllowedCalls(): Promise<string[]> {
  const unit = await readFile('deploy/nameplate.service', 'utf8');
  const [allowed = '', denied = ''] = [...unit.matchAll(/^SystemCallFilter=~?(.*)$/gm)].map(
    ([, names]) => names,
  );
  const refused = new Set(await listCalls(denied.split(' ')));
  const calls = await listCalls(['@default', ...allowed.split(' ')]);
  return calls.filter((call) => !refused.has(call));
}

/** Lists the system calls in systemd's groups, including nested groups. */
async function listCalls(groups: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('systemd-analyze', ['syscall-filter', ...groups]);
  const names = stdout.split('\n').flatMap((line) => /^ +([@\w-]+)$/.exec(line)?.[1] ?? []);
  const nestedGroups = names.filter((name) => name.startsWith('@'));
  const calls = names.filter((name) => !name.startsWith('@'));
  return nestedGroups.length > 0 ? [...calls, ...(await listCalls(nestedGroups))] : calls;
}

it('a picture can be uploaded to a server with only the system calls of its systemd unit', async () => {
  const calls = await listAllowedCalls();
  expect(calls).toContain('read');
  expect(calls).not.toContain('setpriority');
  const { db, url, close } = await openTestDatabase();
  onTestFinished(close);
  const { key } = await insertTestAccount(db);
  const server = spawnServer({ DATABASE_URL: url }, onTestFinished, [
    ...['python3', 'test/delivery/run-filtered.py'],
    calls.join(' '),
  ]);
  await server.waitFor(/^Ready\./m);
  const [, serverUrl] = await server.waitFor(/listens on (http:\/\/\S+)/);
  const { status } = await fetch(`${serverUrl}/owner/pictures/upload-picture`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'image/jpeg' },
    body: new Uint8Array(await createImage().jpeg().toBuffer()),
  });
  expect(status).toBe(200);
});
