import { writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { inputOf, type Contract, type Route } from '#contract/define-endpoints.ts';
import { deprecationOf } from '#contract/deprecations.ts';
import { contract } from '#contract/index.ts';
import { authenticatedContract } from '#contract/owner/index.ts';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { createProgram } from '#server/entry/cli/program.ts';
import { allowancesFromConfig } from '#server/platform/limits/allowances/allowances.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import {
  authenticatedEndpoints,
  createValidPath,
  createValidRequest,
  makeOperator,
} from '../support/endpoints.ts';
import { createTempFolder } from '../support/server-process.ts';
import { TEST_ENCRYPTION_KEY, type TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { runCommand, type Settings } from './support/command-line.ts';

const { server } = useServer({
  PUBLIC_URL: 'http://localhost',
  allowances: allowancesFromConfig(loadConfig({ TRUST_ACCOUNTS: 'true' })),
  mailEnabled: true,
});
let local: Settings;
let remote: Settings;
beforeAll(async () => {
  const { BACKUP_DIR, CUSTOM_DOMAIN_TARGET, REGISTRATION, SMTP_URL, TRUST_ACCOUNTS } =
    server.nameplate.config;
  const settings = { BACKUP_DIR, CUSTOM_DOMAIN_TARGET, REGISTRATION, SMTP_URL, TRUST_ACCOUNTS };
  local = {
    ...(settings as Settings),
    DATABASE_URL: server.database.url,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('hex'),
    PUBLIC_URL: 'http://localhost',
    UNCONFIRMED_MAILS_PER_HOUR: '0',
  };
  remote = { NAMEPLATE_BASE_URL: await server.app.listen({ port: 0, host: '127.0.0.1' }) };
});

const OPERATIONS = [contract, authenticatedContract].flatMap((operations) =>
  Object.entries(operations as Contract).flatMap(([area, routes]) =>
    Object.entries(routes).map(([id, route]): [string, Route] => [`${area}.${id}`, route]),
  ),
);

/** They call other services, which only the server of the test replaces. */
const CALL_OTHERS = new Set([
  'sendChatWebhook',
  'editChatWebhook',
  'sendTestEvent',
  'sendDelivery',
]);

/** They change one state of the whole server, so a second call finds another one. */
const ONCE_PER_SERVER = new Set([
  'createMessage',
  'listMessageRecipients',
  'cancelMessage',
  'exportMailSettings',
  'deleteMailSettings',
]);

const toFlag = (field: string) =>
  `--${field.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

it.each(OPERATIONS)('%s has an option for each field', async (name, route) => {
  const program = await createProgram([name]);
  const { options } = program.commands.find((command) => command.name() === name)!;
  const fields = Object.keys(inputOf(route).fields).filter((field) => field !== 'idempotency-key');
  const others = new Set(['--base-url', '--account', '--body', '--output', '--all']);
  expect(options.map(({ long }) => long).filter((flag) => !others.has(flag!))).toEqual(
    fields.map(toFlag),
  );
});

async function createArguments(account: TestAccount, name: string): Promise<string[]> {
  const endpoint = authenticatedEndpoints.find(
    (candidate) => name === `${candidate.area}.${candidate.name}`,
  )!;
  await makeOperator(server, account);
  const { payload, json } = await createValidRequest(server, account, endpoint);
  if (payload !== undefined) {
    const file = join(await createTempFolder(), 'picture.jpg');
    await writeFile(file, payload);
    return ['--body', `@${file}`];
  }
  const { searchParams } = new URL(
    await createValidPath(server, account, endpoint),
    'http://localhost',
  );
  return Object.entries(json ?? Object.fromEntries(searchParams)).flatMap(([field, value]) => [
    toFlag(field),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

/**
 * Removes what differs between two accounts, two times or two keys, and when something was last
 * used, which the server stores behind its response.
 */
function normalize(text: string): string {
  if (text.startsWith('PK')) return 'a zip archive';
  return text
    .replaceAll(/whsec_[^"]+/g, '*')
    .replaceAll(/[\w-]{16,}(?:\.\w+)?/g, '*')
    .replaceAll(/\d+/g, '0')
    .replaceAll(/"current": (?:true|false)|"key_id": (?:"\*"|null)/g, '')
    .replaceAll(/"last_(?:seen|used)_at": (?:"[^"]+"|null)/g, '');
}

const COMMAND = { who: `${userInfo().username}@${hostname()}`, via: 'command' };

it.each(
  OPERATIONS.filter(([name]) => {
    const operation = name.split('.')[1]!;
    return !CALL_OTHERS.has(operation) && !ONCE_PER_SERVER.has(operation);
  }),
)(
  '%s answers the same on the database as over HTTP, and is audited if it changes something',
  async (name, { metadata: { access, scope } }) => {
    const [owner, other] = [await server.createAccount(), await server.createAccount()];
    const ownerArguments = await createArguments(owner, name);
    const otherArguments = await createArguments(other, name);
    const options = scope === 'operator' ? [] : ['--account', owner.id];
    const before = await listAuditEntries(server.db, { limit: 1_000 });
    // The server of the test forwards mail as with Postfix, without the setting.
    const forwards = /^(?:addresses|forwarding)\./.test(name);
    const settings = forwards ? { ...local, EMAIL_FORWARDING_PROVIDER: 'postfix' } : local;
    const result = await runCommand(settings, name, ...ownerArguments, ...options);
    const after = await listAuditEntries(server.db, { limit: 1_000 });
    const entries = after.slice(0, after.length - before.length);
    const response = await runCommand(
      { ...remote, NAMEPLATE_API_KEY: other.key },
      name,
      ...otherArguments,
    );
    const deprecation = deprecationOf(name);
    const stderr = deprecation === undefined ? '' : `Deprecated: ${deprecation}\n`;
    expect(response).toMatchObject({ code: 0, stderr });
    expect({ ...result, stdout: normalize(result.stdout) }).toEqual({
      ...response,
      stdout: normalize(response.stdout),
    });
    // No invitation is open here, so none is sent or recorded.
    const isForNobody = name === 'invitations.sendInvitations';
    if (access !== 'read') expect(entries).toHaveLength(isForNobody ? 0 : 1);
    for (const entry of entries)
      expect(entry).toMatchObject({
        ...{ ...COMMAND, action: name },
        ...(scope !== 'operator' && { account_id: owner.id }),
      });
    expect(JSON.stringify(entries)).not.toMatch(/np_\w+\.\w+/);
  },
);
