import { sql } from 'kysely';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { onTestFinished } from 'vitest';
import {
  BATCH_ID,
  exampleLink,
  JANE_ID,
  JOE_ID,
  PICTURE_ID,
  PROJECT_ID,
} from '#contract/examples.ts';
import type { Json } from '#contract/openapi/json.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { insertMemberInvitations } from '#db/queries/invitations.ts';
import { insertLoginLink } from '#db/queries/login-links.ts';
import { saveSite } from '#server/features/sites/save-site.ts';
import { hashToken } from '#server/platform/secrets/token.ts';
import {
  createOperator,
  createUnauthenticatedBody,
  createValidBody,
  createValidPath,
  type Endpoint,
  makeOperator,
  unauthenticatedEndpoints,
} from './endpoints.ts';
import { addPicture } from './pictures.ts';
import { startTestApp, type TestApp } from './test-app.ts';

const LOGO = 'VYl0tjXyQ2C8mHn4sRbA1f-512x512';

/** What the examples name, and is there from the start. */
const IN_STORY = new Set([
  ...[JANE_ID, JOE_ID, PROJECT_ID, PICTURE_ID, 'jane-doe'],
  ...[exampleLink('login'), exampleLink('invitation')],
]);

/** A server with the people and things of the examples in the contract. `key` is that of Jane Doe. */
export async function startStory() {
  const server = await startTestApp({
    chat: { deliver: () => Promise.resolve('1105936272348135426') },
    mailEnabled: true,
    MAIL_DOMAIN: 'club.example',
  });
  onTestFinished(() => server.close());
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const account = await server.createNamedAccount('Jane Doe');
  await makeOperator(server, account);
  const joe = await server.createNamedAccount('joe-bloggs');
  const projectId = await server.createProject(account, 'Shop');
  const picture = await addPicture(server, account);
  await rename(server, [
    [picture.id, PICTURE_ID],
    [account.id, JANE_ID],
    [joe.id, JOE_ID],
    [projectId, PROJECT_ID],
  ]);
  // The last operator cannot delete their account.
  await createOperator(server);
  await addInstance(server);
  await addSite(server);
  await addClub(server);
  await addLinks(server);
  await sql.raw(SNAPSHOT).execute(server.db);
  const jane = { ...account, id: JANE_ID };
  return {
    url,
    key: jane.key,
    /** Begins the story again, and adds what a request of the endpoint needs, as in the example. */
    prepare: async (endpoint: Endpoint, example: Json | undefined) => {
      await sql.raw(RESTORE).execute(server.db);
      const path = await createValidPath(server, jane, endpoint);
      const query = Object.fromEntries(new URL(path, url).searchParams);
      const body = unauthenticatedEndpoints.includes(endpoint)
        ? await createUnauthenticatedBody(server, endpoint)
        : await createValidBody(server, jane, endpoint);
      const pairs = listPairs((body ?? query) as Json, example);
      await rename(
        server,
        pairs.filter((pair) => !pair.some((text) => IN_STORY.has(text))),
      );
    },
  };
}

async function addInstance({ db }: TestApp): Promise<void> {
  const files = { logo: Buffer.alloc(1), dark_logo: Buffer.alloc(1), cover: Buffer.alloc(1) };
  const ids = { logo_id: LOGO, dark_logo_id: LOGO, cover_id: LOGO };
  await inTransaction(db, (trx) =>
    saveInstance(trx, { ...files, ...ids, contact: 'office@club.example' }),
  );
}

async function addSite({ db, sql: run }: TestApp): Promise<void> {
  await inTransaction(db, (trx) =>
    saveSite(trx, JANE_ID, { version: 0, update: { bio: 'Potter in Lisbon.' } }),
  );
  await run`UPDATE sites SET version = 7 WHERE account_id = ${JANE_ID}`;
  await run`UPDATE site_versions SET version = 7 WHERE account_id = ${JANE_ID}`;
}

/** The page that may stand on the front page. */
async function addClub(server: TestApp): Promise<void> {
  const club = await server.createNamedAccount('skerry-sailing');
  await club.owner.page.updatePageVisibility({ visible: true });
  await club.owner.page.updateFrontPage({ visible: true });
}

/** The mailed links of the examples, which have the same token. */
async function addLinks({ db, sql: run }: TestApp): Promise<void> {
  const token_hash = hashOf(exampleLink('login'));
  const link = { accountId: JANE_ID, tokenHash: token_hash, isMailed: false, minutes: 60 };
  await insertLoginLink(db, link);
  const person = { name: 'José Müller', email: 'jose@example.com', display_name: 'jose-mueller' };
  const mail = { language: null, inviter: null, sentence: null };
  await inTransaction(db, (trx) =>
    insertMemberInvitations(trx, [{ ...person, forward_to_email: null, token_hash }], {
      ...{ batchId: BATCH_ID, days: 7, mail },
    }),
  );
  await run`UPDATE invitations SET mail_state = 'sent', sent_at = now()`;
}

/** The texts that differ in two bodies of the same form. */
function listPairs(valid: Json | undefined, example: Json | undefined): [string, string][] {
  if (typeof valid === 'string' && typeof example === 'string')
    return valid === example ? [] : [[valid, example]];
  if (typeof valid !== 'object' || typeof example !== 'object' || !valid || !example) return [];
  return Object.entries(valid).flatMap(([key, value]) =>
    listPairs(value as Json, (example as Record<string, Json>)[key]),
  );
}

const SNAPSHOT = `DO $$ DECLARE name text; BEGIN
  CREATE SCHEMA story;
  FOR name IN SELECT table_name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' LOOP
    EXECUTE format('CREATE TABLE story.%1$I AS TABLE public.%1$I', name);
  END LOOP;
END $$`;

const RESTORE = `DO $$ DECLARE name text; columns text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name, columns IN SELECT table_name, string_agg(quote_ident(column_name), ',')
    FROM information_schema.columns JOIN pg_class ON oid = format('public.%I', table_name)::regclass
    WHERE table_schema = 'public' AND is_generated = 'NEVER' AND relkind IN ('r', 'p')
      AND NOT relispartition GROUP BY table_name LOOP
    EXECUTE format('DELETE FROM public.%I', name);
    EXECUTE format('INSERT INTO public.%1$I (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM story.%1$I', name, columns);
  END LOOP;
END $$`;

/** Replaces ids, names and tokens in all tables, so that what the examples name exists. */
async function rename({ db }: TestApp, pairs: [string, string][]): Promise<void> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    SELECT table_name AS table, column_name AS column, data_type AS type
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND data_type IN ('uuid', 'text', 'bytea') AND is_generated = 'NEVER'`.execute(db);
  const updates = pairs.flatMap((pair) =>
    columns
      .filter(({ type }) => type !== 'uuid' || pair.every(isUuid))
      .map(({ table, column, type }) => {
        const [from, to] = pair.map((text) =>
          escapeLiteral(type === 'bytea' ? `\\x${hashOf(text).toString('hex')}` : text),
        );
        return `UPDATE ${table} SET ${escapeIdentifier(column)} = ${to}
          WHERE ${escapeIdentifier(column)} = ${from}`;
      }),
  );
  // All in one message: hundreds of them take minutes on a busy machine.
  const statements = ['SET LOCAL session_replication_role = replica', ...updates].join(';');
  await inTransaction(db, (trx) => sql.raw(statements).execute(trx));
}

const isUuid = (text: string): boolean => /^[\da-f-]{36}$/.test(text);

/** Of the token of a link. */
const hashOf = (text: string): Buffer => hashToken(text.split('#').at(-1)!.split('/')[0]!);
