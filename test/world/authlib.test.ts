import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openSignedIn, startListeningApp } from '../browser/support/listening-app.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { createOperator } from '../support/endpoints.ts';
import { listen } from '../support/listen.ts';

const PROGRAM = fileURLToPath(new URL('sign_in.py', import.meta.url));

it('a Python website with Authlib signs in, refreshes its token and revokes it', async () => {
  const server = await startListeningApp();
  const website = await listen(createServer((_request, response) => response.end('Signed in')));
  onTestFinished(website.close);
  const redirectUri = `${website.url}/callback`;
  const account = await createOperator(server, 'mira');
  await server.sql`UPDATE forwarding_settings SET login_email = 'mira@club.example'
    WHERE account_id = ${account.id}`;
  const { client, client_secret } = await account.owner.clients.createClient({
    name: 'Club wiki',
    redirect_uris: [redirectUri],
  });
  const args = [PROGRAM, server.origin, client.id, client_secret!, redirectUri];
  const program = spawn('/usr/bin/python3', args, {
    env: childEnvironment({ AUTHLIB_INSECURE_TRANSPORT: '1' }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void program.kill());
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const page = await openSignedIn(server, account.id);
  await page.goto((await lines.next()).value!);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${redirectUri}?*`);
  program.stdin.end(`${page.url()}\n`);
  const { claims, userinfo, refreshed, after } = JSON.parse((await lines.next()).value!) as {
    [name: string]: Record<string, unknown>;
  };
  const known = {
    name: 'mira',
    preferred_username: 'mira',
    email: 'mira@club.example',
    email_verified: true,
    groups: ['operators'],
  };
  expect(claims).toMatchObject({ ...known, sub: userinfo!['sub'] });
  expect(userinfo).toMatchObject(known);
  expect([refreshed, after]).toEqual([true, 401]);
});
