import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { EventType } from '#contract/shared/event-types.ts';
import { readAccount, readAccountSettings } from '#db/queries/accounts.ts';
import { listAddressesOf } from '#db/queries/addresses.ts';
import { listAlerts } from '#db/queries/alerts.ts';
import { listApiKeys } from '#db/queries/api-keys.ts';
import { listConnections } from '#db/queries/connections.ts';
import { listDomains } from '#db/queries/domains.ts';
import { listEvents } from '#db/queries/events.ts';
import { listMetrics } from '#db/queries/metrics.ts';
import { listReceivedMessages } from '#db/queries/messages.ts';
import { listIdentities } from '#db/queries/identities.ts';
import { listPasskeys } from '#db/queries/passkeys.ts';
import { findPictureFiles, listPictures, pictureKey } from '#db/queries/pictures.ts';
import { findForwarding } from '#db/queries/forwarding-settings.ts';
import { listProjectsWithRetention } from '#db/queries/projects.ts';
import { listSessions } from '#db/queries/sessions.ts';
import { findSiteVersion, listSiteVersions } from '#db/queries/site-versions.ts';
import { findSiteChoices, findSiteConfiguration, isSiteEnabled } from '#db/queries/sites.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { ALERT_ERRORS } from '../alerts/alert-message.ts';
import { withoutSecrets } from '../connections/serialize-connection.ts';
import { DOMAIN_PROBLEMS } from '../domains/domain-problem.ts';
import { formatRecords } from '../metrics/format-records.ts';
import { exportVisits } from '../visitors/export-visits.ts';

const EVENTS_PER_QUERY = 500;

interface ArchiveFile {
  name: string;
  description: string;
  read: () => AsyncIterable<string | Buffer>;
}

/** Streams a zip archive. `types` are the events in it. Most of its files are read from the database only when they are sent. */
export async function exportAccount(
  db: Database,
  accountId: string,
  types: readonly EventType[],
): Promise<Readable> {
  const account = await readAccount(db, accountId);
  const projects = await listProjectsWithRetention(db, accountId);
  const pictures = await listPictures(db, accountId);
  const files = [
    jsonFile('account.json', 'The account, its display name and its settings.', async () => ({
      ...account,
      ...(await readAccountSettings(db, accountId)),
    })),
    ...listAccountFiles(db, accountId),
    ndjsonFile('events.ndjson', 'The events of the account, newest first.', () =>
      readEvents(db, accountId, types),
    ),
    jsonFile(
      'projects.json',
      'The projects, oldest first, with their retention periods.',
      async () => projects,
    ),
    ...projects.map(({ id, name }) => ({
      name: `metrics/${id}.ndjson`,
      description: `The metrics of the project ${name}, oldest first, one per line.`,
      read: () => formatRecords(listMetrics(db, { projectId: id }), 'ndjson'),
    })),
    jsonFile('pictures.json', 'The pictures, newest first.', async () => pictures),
    ...pictures.map(({ id }) => ({
      name: `pictures/${id}.webp`,
      description: 'A picture at its largest size.',
      read: () => readPicture(db, id),
    })),
  ];
  const manifest = {
    account_id: accountId,
    made_at: new Date(),
    about:
      'All data that Nameplate stores for this account. Nameplate does not store the secrets of API keys, sessions and links, so the archive does not contain them.',
    files: files.map(({ name, description }) => ({ name, what: description })),
  };
  return createZip([jsonFile('manifest.json', '', async () => manifest), ...files]);
}

function listAccountFiles(db: ReadDatabase, accountId: string): ArchiveFile[] {
  return [
    jsonFile('site.json', 'The current site, and whether it is visible.', async () => ({
      enabled: await isSiteEnabled(db, accountId),
      ...(await findSiteChoices(db, accountId)),
      ...(await findSiteConfiguration(db, accountId)),
    })),
    ndjsonFile('site-versions.ndjson', 'The latest versions of the site.', () =>
      readVersions(db, accountId),
    ),
    {
      name: 'visitors.csv',
      description: 'Page views and link clicks per day (UTC).',
      read: () => exportVisits(db, accountId),
    },
    jsonFile(
      'forwarding.json',
      'The address that receives login links and mail to the display name.',
      () => findForwarding(db, accountId),
    ),
    jsonFile('group-addresses.json', 'The group addresses that reach the account.', async () =>
      (await listAddressesOf(db, accountId)).map(({ name }) => name),
    ),
    jsonFile('domains.json', 'The custom domains.', async () =>
      (await listDomains(db, accountId)).map((domain) => ({
        ...domain,
        problem: formatStored(DOMAIN_PROBLEMS, domain.problem),
      })),
    ),
    jsonFile('keys.json', 'The API keys, without their secrets.', () => listApiKeys(db, accountId)),
    jsonFile('passkeys.json', 'The passkeys.', () => listPasskeys(db, accountId)),
    jsonFile('identities.json', 'The linked single sign-on accounts.', () =>
      listIdentities(db, accountId),
    ),
    jsonFile('sessions.json', 'The open sessions, without their secrets.', () =>
      listSessions(db, accountId),
    ),
    jsonFile('connections.json', 'The connections, without their addresses.', async () =>
      (await listConnections(db, accountId)).map(withoutSecrets),
    ),
    jsonFile('messages.json', 'The messages of operators, and whether they were sent to you.', () =>
      listReceivedMessages(db, accountId),
    ),
    jsonFile('alerts.json', 'The alerts on metrics.', async () =>
      (await listAlerts(db, accountId)).map((alert) => ({
        ...alert,
        last_error: formatStored(ALERT_ERRORS, alert.last_error),
      })),
    ),
  ];
}

async function* readVersions(db: ReadDatabase, accountId: string): AsyncGenerator {
  for (const { version } of await listSiteVersions(db, accountId)) {
    const siteVersion = await findSiteVersion(db, accountId, version);
    if (siteVersion) yield siteVersion;
  }
}

async function* readEvents(
  db: ReadDatabase,
  accountId: string,
  types: readonly EventType[],
): AsyncGenerator {
  let after: string | undefined;
  for (;;) {
    const page = await listEvents(db, accountId, { limit: EVENTS_PER_QUERY, after, types });
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** Yields nothing if the picture was deleted after the export started. */
async function* readPicture(db: ReadDatabase, id: string): AsyncGenerator<Buffer> {
  const key = pictureKey(id, 1_200);
  const file = (await findPictureFiles(db, [key])).get(key);
  if (file) yield file;
}

function jsonFile(name: string, description: string, load: () => Promise<unknown>): ArchiveFile {
  const read = async function* () {
    yield `${JSON.stringify((await load()) ?? null, null, 2)}\n`;
  };
  return { name, description, read };
}

function ndjsonFile(
  name: string,
  description: string,
  load: () => AsyncIterable<unknown>,
): ArchiveFile {
  const read = async function* () {
    for await (const row of load()) yield `${JSON.stringify(row)}\n`;
  };
  return { name, description: `${description} One per line.`, read };
}

/** If a file cannot be read, the stream is destroyed with the error. */
function createZip(files: readonly ArchiveFile[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, read } of files)
    zip.addReadStreamLazy(name, (start) => {
      const file = Readable.from(read());
      file.once('error', (error) => output.destroy(error));
      start(null, file);
    });
  zip.end();
  return output;
}
