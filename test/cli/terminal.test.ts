import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { confirm } from '#server/entry/cli/confirm.ts';
import { runInTerminal, runJson, useDatabase } from './support/command-line.ts';

const database = useDatabase();
const run = (answer: string, ...args: string[]) =>
  runInTerminal({ TERM: 'dumb', ...database.settings }, args, answer);

describe('on a terminal', () => {
  it.each(['n\n', '\u0003'])('%j deletes nothing', async (answer) => {
    const { account_id } = (await runJson(database.settings, 'accounts', 'create')) as {
      account_id: string;
    };
    const { code, output } = await run(answer, 'accounts', 'delete', account_id);
    expect(output).toContain(
      `Delete account ${account_id} with its site, keys, projects and metrics? [y/N] `,
    );
    expect(output).toMatch(/\nNothing was deleted\.\n$/);
    expect(code).toBe(1);
    await runJson(database.settings, 'keys', 'list', '--account', account_id);
  });

  it('a command prints which database it uses', async () => {
    const { host, pathname } = new URL(database.url);
    const { output } = await run('', 'migrate');
    expect(output).toBe(
      `Database: PostgreSQL at ${host}${pathname}\nThe database is up to date.\n`,
    );
  });

  it('y deletes', async () => {
    await runJson(database.settings, 'accounts', 'create', '--display-name', 'jane-doe');
    const account = await run('yes\n', 'accounts', 'delete', 'jane-doe');
    expect(account.output).toMatch(/Delete account \S+ \(jane-doe\) with its site/);
    expect(account).toMatchObject({ code: 0, output: expect.stringContaining('Deleted ') });
  });
});

it.each([
  [['y\n', 'Y\n', 'yes\n', ' YES \n'], true],
  [['\n', 'n\n', 'no\n', 'yesterday\n', 'j\n', ''], false],
])('with %j a deletion is confirmed: %s', async (typedTexts, expected) => {
  for (const typedText of typedTexts) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const confirmation = confirm('Delete it?', input, output);
    input.end(typedText);
    expect([typedText, await confirmation]).toEqual([typedText, expected]);
    output.end();
    expect(await text(output)).toBe('Delete it? [y/N] ');
  }
});
