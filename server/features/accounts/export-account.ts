import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { ZipFile } from 'yazl';
import { readAccount } from '#db/queries/accounts.ts';
import { listAlerts } from '#db/queries/alerts/alerts.ts';
import { listApiKeys } from '#db/queries/api-keys.ts';
import { listWebhooks } from '#db/queries/chat/chat-webhooks.ts';
import { listDomains } from '#db/queries/domains.ts';
import { listEvents } from '#db/queries/events.ts';
import { listMetrics } from '#db/queries/metrics/metrics.ts';
import { listIdentities } from '#db/queries/sessions/identities.ts';
import { listPasskeys } from '#db/queries/sessions/passkeys.ts';
import { findPictureFiles, listPictures, pictureKey } from '#db/queries/pictures.ts';
import { findForwarding } from '#db/queries/forwarding/forwarding-settings.ts';
import { listMetricViews, listProjects, type ProjectRow } from '#db/queries/projects.ts';
import { listSessions } from '#db/queries/sessions/sessions.ts';
import { findSiteVersion, listSiteVersions } from '#db/queries/sites/site-versions.ts';
import {
  findCountsVisits,
  findSiteConfiguration,
  findSiteEnabled,
} from '#db/queries/sites/sites.ts';
import type { Database } from '#db/schema.ts';
import { writeRecords } from '../metrics/export-metrics.ts';
import { exportVisits } from '../visitors/export-visits.ts';

const EVENTS = 500;

/** A file of the archive, read when it is its turn. */
interface ArchiveFile {
  name: string;
  /** Description of the content, for whoever opens the archive. */
  what: string;
  text: () => AsyncIterable<string | Buffer>;
}

/** All that is stored for an account as a zip archive, read while it is sent. */
export async function exportAccount(db: Kysely<Database>, accountId: string): Promise<Readable> {
  const account = await readAccount(db, accountId);
  const projects = await listProjects(db, accountId);
  const pictures = await listPictures(db, accountId);
  const files = [
    json('account.json', 'The account and its display name.', async () => account),
    ...filesOf(db, accountId),
    json('projects.json', 'The projects, oldest first, with their saved views.', () =>
      withViews(db, accountId, projects),
    ),
    ...projects.map(({ id, name }) => ({
      name: `metrics/${id}.ndjson`,
      what: `The metrics of the project ${name}, oldest first, one a line.`,
      text: () => writeRecords(listMetrics(db, { projectId: id }), 'ndjson'),
    })),
    json('pictures.json', 'The pictures, newest first.', async () => pictures),
    ...pictures.map(({ id }) => ({
      name: `pictures/${id}.webp`,
      what: 'A picture at its largest size.',
      text: () => picture(db, id),
    })),
  ];
  const manifest = {
    account_id: accountId,
    made_at: new Date(),
    about:
      'All that Nameplate stores for this account. Secrets of keys, sessions and links are stored nowhere and so are not in it.',
    files: files.map(({ name, what }) => ({ name, what })),
  };
  return archive([json('manifest.json', '', async () => manifest), ...files]);
}

function filesOf(db: Kysely<Database>, accountId: string): ArchiveFile[] {
  return [
    json('site.json', 'The site as it is now, and whether it is visible.', async () => ({
      enabled: await findSiteEnabled(db, accountId),
      counts_visits: await findCountsVisits(db, accountId),
      ...(await findSiteConfiguration(db, accountId)),
    })),
    lines('site-versions.ndjson', 'What the site was after each of its latest changes.', () =>
      versions(db, accountId),
    ),
    {
      name: 'visitors.csv',
      what: 'Views of the page and clicks on its links: sums of days in UTC.',
      text: () => exportVisits(db, accountId),
    },
    json('forwarding.json', 'Where mail to the display name and login links go.', () =>
      findForwarding(db, accountId),
    ),
    json('domains.json', 'The custom domains.', () => listDomains(db, accountId)),
    json('keys.json', 'The API keys, without their secrets.', () => listApiKeys(db, accountId)),
    json('passkeys.json', 'The passkeys.', () => listPasskeys(db, accountId)),
    json('identities.json', 'The users of single sign-on that are linked.', () =>
      listIdentities(db, accountId),
    ),
    json('sessions.json', 'The open sessions, without their secrets.', () =>
      listSessions(db, accountId),
    ),
    json('webhooks.json', 'The stored webhooks, without their URLs.', () =>
      listWebhooks(db, accountId),
    ),
    json('alerts.json', 'The alerts on metrics.', () => listAlerts(db, accountId)),
    lines('events.ndjson', 'What happened to the account, newest first.', () =>
      events(db, accountId),
    ),
  ];
}

async function withViews(db: Kysely<Database>, accountId: string, projects: readonly ProjectRow[]) {
  const views = await listMetricViews(db, accountId);
  return projects.map((project) => ({ ...project, views: views.get(project.id) }));
}

async function* versions(db: Kysely<Database>, accountId: string): AsyncGenerator {
  for (const { version } of await listSiteVersions(db, accountId)) {
    const found = await findSiteVersion(db, accountId, version);
    if (found) yield found;
  }
}

async function* events(db: Kysely<Database>, accountId: string): AsyncGenerator {
  let after: string | undefined;
  for (;;) {
    const page = await listEvents(db, accountId, { limit: EVENTS, after });
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** The file of a picture; empty if it was deleted meanwhile. */
async function* picture(db: Kysely<Database>, id: string): AsyncGenerator<Buffer> {
  const key = pictureKey(id, 1_200);
  const file = (await findPictureFiles(db, [key])).get(key);
  if (file) yield file;
}

function json(name: string, what: string, read: () => Promise<unknown>): ArchiveFile {
  const text = async function* () {
    yield `${JSON.stringify((await read()) ?? null, null, 2)}\n`;
  };
  return { name, what, text };
}

function lines(name: string, what: string, read: () => AsyncIterable<unknown>): ArchiveFile {
  const text = async function* () {
    for await (const row of read()) yield `${JSON.stringify(row)}\n`;
  };
  return { name, what: `${what} One a line.`, text };
}

/** Streams files as an archive, which ends early if one of them fails. */
function archive(files: readonly ArchiveFile[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, text } of files)
    zip.addReadStreamLazy(name, (begin) => {
      const file = Readable.from(text());
      file.once('error', (error) => output.destroy(error));
      begin(null, file);
    });
  zip.end();
  return output;
}
