import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';
import { createPostgresDatabase } from '../support/test-database.ts';
import { runJson, type Settings } from './support/command-line.ts';

let settings: Settings;
beforeAll(async () => {
  settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
});

/** Runs a command in a terminal and answers its prompt. */
async function runInTerminal(answer: string, ...args: string[]) {
  const command = [process.execPath, 'server/entry/cli/cli.ts', ...args].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: childEnvironment({ TERM: 'dumb', ...settings }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.endsWith('[y/N] ')) child.stdin.write(answer);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output: output.replaceAll('\r', '') };
}

describe('on a terminal', () => {
  it.each(['n\n', '\u0003'])('%j deletes nothing', async (answer) => {
    const { account_id } = (await runJson(settings, 'accounts', 'create')) as {
      account_id: string;
    };
    const { code, output } = await runInTerminal(answer, 'accounts', 'delete', account_id);
    expect(output).toContain(
      `Delete account ${account_id} with its site, keys, projects and metrics? [y/N] `,
    );
    expect(output).toMatch(/\nNothing was deleted\.\n$/);
    expect(code).toBe(1);
    await runJson(settings, 'keys', 'list', '--account', account_id);
  });

  it('a command prints which database it uses', async () => {
    const { host, pathname } = new URL(settings['DATABASE_URL'] ?? '');
    const { output } = await runInTerminal('', 'migrate');
    expect(output).toBe(
      `Database: PostgreSQL at ${host}${pathname}\nThe database is up to date.\n`,
    );
  });

  it('y deletes', async () => {
    await runJson(settings, 'accounts', 'create', '--display-name', 'jane-doe');
    const account = await runInTerminal('yes\n', 'accounts', 'delete', 'jane-doe');
    expect(account.output).toMatch(/Delete account \S+ \(jane-doe\) with its site/);
    expect(account).toMatchObject({ code: 0, output: expect.stringContaining('Deleted ') });
  });
});
