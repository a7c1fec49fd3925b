import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { exampleOf } from '#contract/openapi/example-of.ts';
import { toJsonSchema } from '#contract/openapi/json-schema.ts';
import { authenticatedContract, unauthenticatedContract } from '#contract/owner/index.ts';
import type { Refusals } from '#contract/refusal.ts';
import type { ReportReason } from '#contract/shared/report-reasons.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertAccount, setSuspended } from '#db/queries/accounts.ts';
import { insertAddress, insertRecipient } from '#db/queries/addresses.ts';
import { insertAlert } from '#db/queries/alerts.ts';
import { insertApplication, setApplicationToken } from '#db/queries/applications.ts';
import { insertConnection } from '#db/queries/connections.ts';
import { insertTest } from '#db/queries/deliveries.ts';
import {
  claimNameForAccount,
  claimNameForAddress,
  findDisplayName,
  releaseDisplayName,
} from '#db/queries/display-names.ts';
import { insertDomain } from '#db/queries/domains.ts';
import { insertImport } from '#db/queries/group-imports.ts';
import { insertGroup } from '#db/queries/groups.ts';
import { insertIdentity } from '#db/queries/identities.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { insertMemberInvitations } from '#db/queries/invitations.ts';
import { insertKeeperInvitation, setKeeperToken } from '#db/queries/keepers.ts';
import { insertMessage } from '#db/queries/messages.ts';
import { findOrCreateSubject } from '#db/queries/oauth-accounts.ts';
import { insertClient } from '#db/queries/oauth-clients.ts';
import { insertGrant } from '#db/queries/oauth-grants.ts';
import { storeToken } from '#db/queries/oauth-tokens.ts';
import { insertOperator } from '#db/queries/operators.ts';
import { insertPasskey } from '#db/queries/passkeys.ts';
import { insertReport, listOpenReports } from '#db/queries/reports.ts';
import { insertSignUp, setSignUpToken } from '#db/queries/sign-ups.ts';
import { listSiteVersions } from '#db/queries/site-versions.ts';
import { urlContext } from '#server/features/connections/open-receiver.ts';
import { createInvitationLink } from '#server/features/invitations/invitation.ts';
import { createApiKey } from '#server/features/keys/manage-keys.ts';
import { PasskeyChallenges } from '#server/features/passkeys/passkey-challenges.ts';
import { createLoginOptions } from '#server/features/passkeys/passkey-login.ts';
import { createRegistrationOptions } from '#server/features/passkeys/register-passkey.ts';
import { saveSite } from '#server/features/sites/save-site.ts';
import { publicOrigin } from '#server/platform/http/access/public-origin.ts';
import {
  MAIL_SERVER_CONTEXT,
  type StoredMailServer,
} from '#server/platform/mail/mail-server-store.ts';
import { createSecretBox } from '#server/platform/secrets/secret-box.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import { findRelyingParty } from '#server/platform/settings/relying-party.ts';
import { Authenticator } from './authenticator.ts';
import type { TestRequest } from './call.ts';
import { addPicture, createImage } from './pictures.ts';
import { createSession } from './session.ts';
import {
  insertTestAccount,
  TEST_ENCRYPTION_KEY,
  type TestAccount,
  type TestApp,
} from './test-app.ts';

/** An endpoint of either contract, with the metadata that generic tests need. */
export interface Endpoint {
  area: string;
  name: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body: z.ZodType | undefined;
  /** Header schemas. Only writes have any. */
  headers: object;
  query: z.ZodType | undefined;
  fileTypes: readonly string[] | undefined;
  /** Content types of the request body, if it is a file. */
  uploadTypes: readonly string[] | undefined;
  /** Field that is left out of the response to an idempotent retry, such as a new API key. */
  secretField: string | undefined;
  isDestructive: boolean;
  isForOperators: boolean;
  /** Does not include the refusals that endpoints share. */
  refusals: Refusals;
  needsRecentLogin: boolean;
  /** Response schemas by status. */
  responses: Record<number, z.ZodType>;
}

function listEndpoints(routes: Contract): Endpoint[] {
  return Object.entries(routes).flatMap(([area, areaRoutes]) =>
    Object.entries(areaRoutes).map(
      ([name, { metadata, ...route }]) =>
        ({
          ...route,
          area,
          name,
          fileTypes: metadata.fileTypes,
          uploadTypes: metadata.uploadTypes,
          secretField: metadata.secretField,
          isDestructive: metadata.destructive === true,
          isForOperators: metadata.scope === 'operator',
          refusals: metadata.refusals,
          needsRecentLogin: 'reauthenticationRequired' in metadata.refusals,
          body: 'body' in route && route.body instanceof z.ZodType ? route.body : undefined,
        }) as Endpoint,
    ),
  );
}

export const coreEndpoints = listEndpoints(contract);
/** Owner endpoints that need no authentication, such as login. */
export const unauthenticatedEndpoints = listEndpoints(unauthenticatedContract);
/** Owner endpoints that need an API key or session. */
export const ownerEndpoints = listEndpoints(authenticatedContract);
export const authenticatedEndpoints = [...coreEndpoints, ...ownerEndpoints];
/** Without the one that refuses keys. */
export const succeedingEndpoints = authenticatedEndpoints.filter(
  ({ name }) => name !== 'exportMailSettings',
);

/** After these, the credentials of the request are invalid. */
export const ENDS_CREDENTIALS = new Set(['deleteAccount', 'transferAccount']);
/** Whether an endpoint uses only JSON, requires no query, and leaves the credentials valid. */
const isJsonEndpoint = ({ name, fileTypes, uploadTypes, query }: Endpoint) =>
  !fileTypes && !uploadTypes && !ENDS_CREDENTIALS.has(name) && !query?.safeParse({}).error;
export const jsonEndpoints = succeedingEndpoints.filter(isJsonEndpoint);

export const endpointsWithJsonBody = authenticatedEndpoints.filter(
  ({ body, uploadTypes }) => body && !uploadTypes,
);
export const writeEndpoints = authenticatedEndpoints.filter(
  (endpoint) => endpoint.method !== 'GET',
);
export const jsonWriteEndpoints = writeEndpoints.filter(({ uploadTypes }) => !uploadTypes);
/** Writes that accept an Idempotency-Key. */
export const idempotentEndpoints = writeEndpoints.filter(
  ({ headers }) => 'idempotency-key' in headers,
);

const WEBHOOK = {
  webhookUrl: 'https://discord.com/api/webhooks/1/token',
  payload: { content: 'hi' },
};
const SITE = { bio: 'Potter.', blocks: [{ type: 'text', content: 'Hello!' }] };
/** Makes names unique. */
let counter = 0;

/**
 * Returns a body that the endpoint accepts from the account, or undefined if the endpoint has no body.
 * Creates what the body refers to, such as a project. Fields without an entry below get the example
 * from the contract.
 */
export async function createValidBody(
  server: TestApp,
  account: TestAccount,
  { isForOperators, name, body }: Endpoint,
): Promise<object | undefined> {
  counter += 1;
  if (isForOperators) await makeOperator(server, account);
  const projectId = () => server.createProject(account);
  const valuesByField: Record<string, () => Promise<string | number>> = {
    project_id: projectId,
    key_id: async () =>
      (await createApiKey(server.db, { accountId: account.id, label: null })).key_id,
    passkey_id: () => addPasskey(server, account),
    identity_id: () => addIdentity(server, account),
    domain: () => createDomain(server, account),
    picture_id: async () => (await addPicture(server, account)).id,
    logo_url: async () => (await addPicture(server, account)).url,
    session_id: async () => {
      const { body: login } = await createSession(server, { api_key: account.key });
      return (login as { session: { id: string } }).session.id;
    },
    account_id: async () => (await server.createAccount()).id,
    invitation_id: async () => (await createInvitationLink(server.db, '', { days: 7 })).id,
    version: () => readLatestSiteVersion(server, account),
    connection_id: () => addConnection(server, account),
    delivery_id: () => addDelivery(server, account),
    alert_id: () => addAlert(server, account),
    address_id: async () => (await addAddress(server, account)).addressId,
    client_id: () => addClient(server, account),
    group_id: () => addGroup(server),
    recipient_id: async () => (await addAddress(server)).recipientId,
    message_id: () => addMessage(server, account),
  };
  const bodiesByEndpoint: Record<string, () => object | Promise<object>> = {
    updateDisplayName: () => ({ display_name: `valid-${counter}` }),
    updateAccountName: () => ({ display_name: `valid-${counter}`, redirect: true }),
    updateSiteConfiguration: () => SITE,
    emailForwardingToggle: () => ({ enabled: false }),
    ingestMetrics: async () => ({ projectId: await projectId(), payload: { visitors: 1 } }),
    sendChatWebhook: () => WEBHOOK,
    editChatWebhook: () => ({ ...WEBHOOK, messageId: '1' }),
    updateInstance: () => ({ name: `Club ${counter}`, contact: 'office@example.com' }),
    // The example expires, and its scope needs no recent login.
    createKey: () => ({ label: 'status page', scope: 'read', expires_at: '2100-01-01T00:00:00Z' }),
    updatePage: async () => ({ ...SITE, version: await readLatestSiteVersion(server, account) }),
    previewPage: () => SITE,
    updateCover: () => addCover(server, account),
    createPasskey: () => createPasskeyRegistrationBody(server, account),
    createSecret: async () => ({ connection_id: await addSigningConnection(server, account) }),
    updateConnection: async () => ({ connection_id: await addSigningConnection(server, account) }),
    updateInvitation: async () => ({
      invitation_id: await addMemberInvitation(server, `wrong-${counter}@names.org`),
      email: `right-${counter}@names.org`,
    }),
    approveMembers: async () => ({ account_ids: [(await addApplication(server)).id] }),
    declineMembers: async () => ({ account_ids: [(await addApplication(server)).id] }),
    closeReports: async () => ({ report_ids: [await addReport(server, account)] }),
    deleteAccount: () => ({ confirm: account.id }),
    updateMemberName: async () => ({
      account_id: (await server.createAccount()).id,
      display_name: `valid-${counter}`,
    }),
    updateMemberEmail: async () => ({
      account_id: (await server.createAccount()).id,
      email: `valid-${counter}@example.com`,
    }),
    sendInvitations: () => ({ state: 'sent' }),
    createInvitations: () => ({ csv: `email\nvalid-${counter}@example.com\n`, mail: false }),
    createAddress: () => ({ name: `team-${counter}`, recipients: [{ email: 'a@names.org' }] }),
    updateAddress: async () => ({
      address_id: (await addAddress(server)).addressId,
      recipients: [{ email: 'b@names.org' }],
    }),
    createGroup: () => ({ name: `Group ${counter}` }),
    updateGroup: async () => ({ group_id: await addGroup(server), name: `Group ${counter} b` }),
    addMembers: async () => ({ group_id: await addGroup(server), account_ids: [account.id] }),
    importMembers: async () => {
      await addMemberInvitation(server, `invited-${counter}@names.org`);
      return { csv: `email,groups\ninvited-${counter}@names.org,Group ${counter}\n` };
    },
    revokeImport: async () => ({ import_id: await addGroupImport(server) }),
    removeMembers: async () => ({ group_id: await addGroup(server), account_ids: [account.id] }),
    createMessage: async () => {
      await addMessage(server, account);
      return { audience: 'all', official: false, subject: 'Hello', text: 'Hello' };
    },
    createMember: () => ({ display_name: `valid-${counter}` }),
    deleteHeldName: async () => ({
      display_name: await addQuarantinedName(server, `held-${counter}`),
    }),
    inviteKeeper: async () => {
      const { id } = await server.createNamedAccount(`keeper-${counter}`);
      return { display_name: (await findDisplayName(server.db, id))! };
    },
    getKeeperInvitation: async () => ({
      invitation_url: (await addKeeperInvitation(server, account)).token,
    }),
    acceptKeeperInvitation: async () => ({
      invitation_id: (await addKeeperInvitation(server, account)).id,
    }),
    removeKeeper: () => addKeeper(server, account),
    transferAccount: async () => {
      await server.sql`DELETE FROM operators WHERE account_id = ${account.id}`;
      await server.sql`DELETE FROM keepers WHERE keeper_id = ${account.id}`;
      return addKeeper(server, account);
    },
  };
  if (name === 'deleteMailSettings') await storeMailServer(server);
  if (!body) return undefined;
  const completeBody = await bodiesByEndpoint[name]?.();
  if (completeBody) return completeBody;
  const example = createExample(body);
  for (const field of Object.keys(example))
    example[field] = (await valuesByField[field]?.()) ?? example[field];
  return example;
}

/** Invites the account to keep another one. */
async function addKeeperInvitation(
  server: TestApp,
  { id: keeperId }: { id: string },
): Promise<{ id: string; token: string }> {
  const { id: accountId } = await server.createAccount();
  const token = createToken();
  const id = await inTransaction(server.db, async (trx) => {
    const invitation = { accountId, actorId: accountId, keeperId };
    const invitationId = (await insertKeeperInvitation(trx, invitation))!;
    await setKeeperToken(trx, invitationId, hashToken(token));
    return invitationId;
  });
  return { id, token };
}

/** Makes a new account a keeper of the account. */
export async function addKeeper(
  { createAccount, db }: TestApp,
  { id: account_id }: { id: string },
  is_owner = false,
): Promise<{ account_id: string }> {
  const { id: keeper_id } = await createAccount();
  await db.insertInto('keepers').values({ account_id, keeper_id, is_owner }).execute();
  return { account_id: keeper_id };
}

async function addGroup({ db }: TestApp): Promise<string> {
  const name = `Group ${randomUUID()}`;
  return inTransaction(db, (trx) => insertGroup(trx, { name, slug: randomUUID(), color: 'blue' }));
}

async function addGroupImport({ db }: TestApp): Promise<string> {
  const id = randomUUID();
  await inTransaction(db, (trx) => insertImport(trx, { id, created_groups: [], removed: [] }));
  return id;
}

/** Adds a website that the account is connected to. */
async function addClient({ db }: TestApp, account: { id: string }): Promise<string> {
  const id = randomUUID();
  const secret_hash = hashToken(createToken());
  const redirect_uris = ['https://wiki.example.org/callback'];
  await insertClient(db, { id, kind: 'website', name: 'Club wiki', redirect_uris, secret_hash });
  await findOrCreateSubject(db, account.id);
  const grant = { account_id: account.id, actor_id: account.id, client_id: id, scopes: ['openid'] };
  const { id: grantId } = await inTransaction(db, (trx) =>
    insertGrant(trx, { ...grant, session_id: null }),
  );
  const token = { idHash: secret_hash, kind: 'RefreshToken', payload: {}, seconds: 60 };
  await storeToken(db, { ...token, grantId });
  return id;
}

/** Adds a group address with an outside address that has not confirmed, and the account, if any. */
async function addAddress({ db }: TestApp, account?: { id: string }) {
  const name = `team-${randomUUID()}`;
  return inTransaction(db, async (trx) => {
    await claimNameForAddress(trx, { name, quarantineDays: 0 });
    const { id: addressId } = await insertAddress(trx, name);
    await trx.insertInto('provider_aliases').values({ name, synced_revision: 1 }).execute();
    const recipient = { email: 'a@names.org' };
    if (account) await insertRecipient(trx, addressId, { account_id: account.id });
    return { addressId, recipientId: await insertRecipient(trx, addressId, recipient) };
  });
}

async function addCover({ db }: TestApp, { id: account_id }: TestAccount) {
  const url = `https://vimeo.com/${counter}`;
  await db.insertInto('covers').values({ account_id, url }).execute();
  return { url };
}

/** Adds a connection to Discord and returns its id. Deletes unused ones first, to stay below the limit. */
async function addConnection({ db }: TestApp, { id: account_id }: TestAccount): Promise<string> {
  await db
    .deleteFrom('connections')
    .where('account_id', '=', account_id)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('alerts').whereRef('connection_id', '=', 'connections.id'))),
    )
    .execute();
  const id = randomUUID();
  const context = urlContext({ account_id, id });
  const encrypted_url = createSecretBox(TEST_ENCRYPTION_KEY).seal(WEBHOOK.webhookUrl, context);
  await insertConnection(db, { id, account_id, kind: 'discord', name: '#shop', encrypted_url });
  return id;
}

/** Stores a mail server as the dashboard of 0.3 did. */
export async function storeMailServer(
  { db }: Pick<TestApp, 'db'>,
  change: Partial<StoredMailServer> = {},
): Promise<void> {
  const mailServer: StoredMailServer = {
    ...{ host: 'mail.example.org', port: 465, security: 'tls', user: 'me', password: 'secret' },
    ...{ sender: 'me@example.org', ...change },
  };
  const encrypted_mail_server = createSecretBox(TEST_ENCRYPTION_KEY).seal(
    JSON.stringify(mailServer),
    MAIL_SERVER_CONTEXT,
  );
  await inTransaction(db, (trx) => saveInstance(trx, { encrypted_mail_server }));
}

export async function addSigningConnection(server: TestApp, account: TestAccount): Promise<string> {
  const id = await addConnection(server, account);
  await server.sql`UPDATE connections SET kind = 'webhook' WHERE id = ${id}`;
  return id;
}

async function addDelivery(server: TestApp, account: TestAccount): Promise<string> {
  const delivery = await insertTest(server.db, await addConnection(server, account), {});
  return delivery!.id;
}

/** Adds an alert and returns its id. Deletes the other alerts first, to stay below the limit. */
async function addAlert(server: TestApp, account: TestAccount): Promise<string> {
  await server.db.deleteFrom('alerts').where('account_id', '=', account.id).execute();
  const condition = { path: [], aggregate: 'count', comparison: 'above', threshold: 10 } as const;
  const { id } = await insertAlert(server.db, {
    ...condition,
    minutes: 5,
    pause_minutes: 60,
    accountId: account.id,
    projectId: await server.createProject(account),
    connection_id: await addConnection(server, account),
  });
  return id;
}

/** Creates an upload or JSON body that the endpoint accepts from the account. */
export async function createValidRequest(
  server: TestApp,
  account: TestAccount,
  endpoint: Endpoint,
): Promise<Pick<TestRequest, 'json' | 'payload' | 'headers'>> {
  if (!endpoint.uploadTypes) return { json: await createValidBody(server, account, endpoint) };
  return {
    payload: await createImage().jpeg().toBuffer(),
    headers: { 'content-type': endpoint.uploadTypes[0]! },
  };
}

export function createExample(schema: z.ZodType): Record<string, unknown> {
  const { root, definitions } = toJsonSchema(schema, 'input');
  return exampleOf(root, definitions) as Record<string, unknown>;
}

/** Returns a body that the endpoint accepts, or undefined if the endpoint has no body. */
export async function createUnauthenticatedBody(
  server: TestApp,
  { name, body }: Endpoint,
): Promise<object | undefined> {
  const createInvitationBody = async () => {
    const { invitation_url } = await createInvitationLink(server.db, '', { days: 7 });
    return { invitation_url: invitation_url.split('#')[1]! };
  };
  const bodiesByEndpoint: Record<string, () => object | Promise<object>> = {
    createSession: async () => ({ api_key: (await server.createAccount()).key }),
    sendLoginLink: () => ({ email: 'jane@example.com' }),
    getInvitation: createInvitationBody,
    acceptInvitation: createInvitationBody,
    checkRegistration: () => ({ display_name: `entry-${counter++}` }),
    createRegistration: () => ({ display_name: `entry-${counter++}`, email: 'jane@names.org' }),
    createAccount: async () => {
      const display_name = `entry-${counter++}`;
      return {
        registration_url: await createSignUpToken(server.db, {
          email: 'jane@names.org',
          display_name,
        }),
        display_name,
      };
    },
    createApplication: async () => {
      const display_name = `entry-${counter++}`;
      const request = { email: `${display_name}@names.org`, display_name, application_text: 'Hi' };
      return { registration_url: await createSignUpToken(server.db, request), display_name };
    },
    getApplication: async () => ({ application_url: (await addApplication(server)).token }),
    deleteApplication: async () => ({ application_url: (await addApplication(server)).token }),
    createPasskeySession: () => createPasskeyLoginBody(server),
  };
  const validBody = await bodiesByEndpoint[name]?.();
  if (body && !validBody) throw new Error(`add a valid body for ${name} here`);
  return validBody;
}

/** Requests an account and returns the token that the link in the email contains. */
export async function createSignUpToken(
  db: Database,
  request: { email: string; display_name: string; application_text?: string },
): Promise<string> {
  const token = createToken();
  await inTransaction(db, async (trx) => {
    const id = await insertSignUp(trx, request);
    await setSignUpToken(trx, id!, hashToken(token));
  });
  return token;
}

export async function addApplication(
  server: TestApp,
  {
    name = `entry-${(counter += 1)}`,
    text = 'Hello',
    ...fields
  }: { name?: string; text?: string; email?: string; person?: string } = {},
): Promise<{ id: string; token: string }> {
  const token = createToken();
  return inTransaction(server.db, async (trx) => {
    const id = await insertAccount(trx);
    await setSuspended(trx, id, null);
    await claimNameForAccount(trx, { accountId: id, name, quarantineDays: 0 });
    await insertApplication(trx, {
      id,
      display_name: name,
      name: fields.person ?? null,
      email: fields.email ?? `${name}@names.org`,
      text,
      language: 'en',
    });
    await setApplicationToken(trx, id, hashToken(token));
    return { id, token };
  });
}

async function addMemberInvitation(server: TestApp, email: string): Promise<string> {
  const member = {
    name: null,
    email,
    display_name: null,
    forward_to_email: null,
    token_hash: null,
  };
  const mail = { language: null, inviter: null, sentence: null };
  const [inserted] = await inTransaction(server.db, (trx) =>
    insertMemberInvitations(trx, [member], { batchId: randomUUID(), days: 7, mail }),
  );
  return inserted!.id;
}

/** Registers a passkey for a new account, and returns the body that logs in with it. */
async function createPasskeyLoginBody(server: TestApp): Promise<object> {
  const challenges = new PasskeyChallenges(server.db);
  const relyingParty = findRelyingParty(publicOrigin(server.app, undefined))!;
  const authenticator = new Authenticator(relyingParty.origin);
  const { id, headers } = await server.createAccount();
  const registration = authenticator.create(
    await createRegistrationOptions(server.db, challenges, { ...relyingParty, name: '' }, id),
  );
  await server.app.inject({
    method: 'POST',
    url: '/owner/passkeys/create-passkey',
    headers,
    payload: { answer: registration, label: 'Phone' },
  });
  return { answer: authenticator.get(await createLoginOptions(challenges, relyingParty)) };
}

/** Returns the endpoint's path, with a valid query if the endpoint requires one. */
export async function createValidPath(
  server: TestApp,
  account: TestAccount,
  { area, isForOperators, name, path, query }: Endpoint,
): Promise<string> {
  if (isForOperators) await makeOperator(server, account);
  if (!query?.safeParse({}).error) return path;
  if (name === 'exportBackup') return `${path}?name=${await addBackup(server)}`;
  if (name === 'listMessageRecipients')
    return `${path}?message_id=${await addMessage(server, account)}`;
  if (area === 'clients') return `${path}?client_id=${await addClient(server, account)}`;
  if (area === 'addresses') return `${path}?address_id=${(await addAddress(server)).addressId}`;
  if (name === 'exportMember') return `${path}?account_id=${(await server.createAccount()).id}`;
  if (isForOperators) return `${path}?account_id=${account.id}`;
  if (name === 'listDeliveries')
    return `${path}?connection_id=${await addConnection(server, account)}`;
  if (area === 'account') return `${path}?display_name=jane-doe`;
  return `${path}?project_id=${await server.createProject(account)}`;
}

async function addBackup({ nameplate }: TestApp): Promise<string> {
  const { folder } = nameplate.backups!;
  await mkdir(folder, { recursive: true });
  const name = 'nameplate-2026-01-31.zip';
  await writeFile(join(folder, name), 'a backup');
  return name;
}

/** Adds a display name that another account released, and that is in quarantine now. */
async function addQuarantinedName({ db }: TestApp, name: string): Promise<string> {
  const { id } = await insertTestAccount(db);
  await inTransaction(db, async (trx) => {
    await claimNameForAccount(trx, { accountId: id, name, quarantineDays: 30 });
    await trx.insertInto('sites').values({ account_id: id, enabled: true }).execute();
    await releaseDisplayName(trx, { accountId: id, name });
  });
  return name;
}

/** Makes an account an operator, and gives its keys with the scope `all` the scope `operator`. */
export async function makeOperator(
  { db }: Pick<TestApp, 'db'>,
  { id }: Pick<TestAccount, 'id'>,
): Promise<void> {
  await db.transaction().execute((trx) => insertOperator(trx, id));
  await db
    .updateTable('api_keys')
    .set({ scope: 'operator' })
    .where('account_id', '=', id)
    .where('scope', '=', 'all')
    .execute();
}

export async function createOperator(server: TestApp, name?: string): Promise<TestAccount> {
  const account = await (name === undefined
    ? server.createAccount()
    : server.createNamedAccount(name));
  await makeOperator(server, account);
  return account;
}

/** Adds a message to an account that gets mail, at a server whose operators get replies. */
async function addMessage({ db, sql }: TestApp, { id }: TestAccount): Promise<string> {
  await sql`UPDATE forwarding_settings SET login_email = 'jane@names.org' WHERE account_id = ${id}`;
  await sql`DELETE FROM messages`;
  return inTransaction(db, async (trx) => {
    await saveInstance(trx, { contact: 'office@example.com' });
    const message = {
      audience: 'all',
      official: false,
      subject: 'Hello',
      text: 'Hello',
    } as const;
    return (await insertMessage(trx, { accountId: id, ...message })).id;
  });
}

/** Reports an account's page and returns the report's id. */
export async function addReport(
  { db }: TestApp,
  { id }: TestAccount,
  reason: ReportReason = 'other',
): Promise<string> {
  const report = { name: 'jane', reason, text: null, email: null, limit: 20 };
  await db.transaction().execute((trx) => insertReport(trx, id, report));
  return (await listOpenReports(db, { accountId: id, limit: 1 }))[0]!.id;
}

async function createPasskeyRegistrationBody(
  { app, db, publicUrl }: TestApp,
  { id }: TestAccount,
): Promise<object> {
  const relyingParty = findRelyingParty(publicOrigin(app, publicUrl))!;
  const options = await createRegistrationOptions(
    db,
    new PasskeyChallenges(db),
    { ...relyingParty, name: '' },
    id,
  );
  return { answer: new Authenticator(relyingParty.origin).create(options), label: 'Phone' };
}

export async function addPasskey({ db }: TestApp, { id: accountId }: TestAccount): Promise<string> {
  const id = `passkey_${counter}`;
  await insertPasskey(db, {
    ...{ id, account_id: accountId, scope: 'operator', label: null, host: null },
    public_key: Buffer.from('a key'),
    counter: '0',
    transports: '[]',
  });
  return id;
}

export async function addIdentity(
  { db }: TestApp,
  { id: accountId }: { id: string },
): Promise<string> {
  const identity = {
    accountId,
    issuer: 'https://id.example.org',
    subject: `${counter}`,
    scope: 'operator' as const,
    label: null,
  };
  const id = await db.transaction().execute((trx) => insertIdentity(trx, identity));
  return id!;
}

/** Adds a domain and returns its name. Deletes the other domains first, to stay below the limit. */
async function createDomain({ db }: TestApp, { id }: TestAccount): Promise<string> {
  const domain = `valid-${counter}.example`;
  const token = domain.padEnd(22, '-').replaceAll('.', '-').slice(0, 22);
  await db.deleteFrom('domains').where('account_id', '=', id).execute();
  await inTransaction(db, (trx) => insertDomain(trx, id, { domain, token }));
  return domain;
}

async function readLatestSiteVersion({ db }: TestApp, { id }: TestAccount): Promise<number> {
  const [latest] = await listSiteVersions(db, id);
  return (
    latest?.version ??
    inTransaction(db, (trx) => saveSite(trx, id, { version: 0, update: { bio: 'Potter.' } }))
  );
}

/** Checks one endpoint after another. An error's message contains the endpoint. */
export async function forEachEndpoint<E extends { method: string; path: string }>(
  endpoints: readonly E[],
  check: (endpoint: E) => Promise<void>,
): Promise<void> {
  if (endpoints.length === 0) throw new Error('there is no endpoint to check');
  for (const endpoint of endpoints)
    await check(endpoint).catch((cause: unknown) => {
      throw new Error(`${endpoint.method} ${endpoint.path} fails: ${String(cause)}`, { cause });
    });
}
