import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { InvalidArchiveError, type OpenZipFile, openZipFile } from '#db/backup/zip-file.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { hasAnyAccount, updateAccountSettings } from '#db/queries/accounts.ts';
import { insertStoredMetrics } from '#db/queries/metrics.ts';
import { updateMetricRetentionDays } from '#db/queries/projects.ts';
import { setSiteEnabled, saveSiteChoices } from '#db/queries/sites.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { IngestMetricsRequest } from '#contract/stats.ts';
import { ProjectName } from '#contract/owner/projects.ts';
import { addPageSettingsBlock, type PageContent } from '#contract/shared/page-settings-block.ts';
import { PICTURE_ID_PATTERN } from '#contract/shared/pictures.ts';
import { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { parseJsonBody } from '#server/platform/http/contract/json-body.ts';
import { RefusalError } from '#server/platform/refusal.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { decodeUpload, insertUpload } from '../pictures/store-picture.ts';
import { addProject } from '../projects/projects.ts';
import { changeSite } from '../sites/change-site.ts';
import { insertNamedAccount } from './create-account.ts';

export interface ImportedAccount {
  account_id: string;
  display_name: string | null;
  pictures: number;
  projects: number;
  metrics: number;
}

interface ImportOptions {
  file: string;
  displayName?: string | undefined;
  maxBytes: number;
  /** Called with the number of metrics imported so far. */
  onProgress: (metrics: number) => void;
}

const ArchivedAccount = z.object({
  display_name: z.string().nullable(),
  developer_tools: z.boolean().default(false),
  // A newer server may have more languages.
  language: z.enum(LANGUAGES).nullable().catch(null),
});

const ArchivedSite = z.object({
  enabled: z.boolean(),
  counts_visits: z.boolean(),
  site: z.record(z.string(), z.unknown()),
  blocks: z.array(z.unknown()),
});

const ArchivedProjects = z
  .array(
    z.object({
      id: z.uuid(),
      name: ProjectName,
      retention_days: z.int().min(0).max(LIMITS.queryDays).default(0),
    }),
  )
  // Otherwise a small archive could import one file of metrics many times.
  .refine((projects) => new Set(projects.map(({ id }) => id)).size === projects.length, {
    error: 'two projects have the same id',
  });

/**
 * Nameplate did not exist before 2025. Earlier times would let a forged archive create any number
 * of monthly partitions.
 */
const EARLIEST_METRIC_TIME = Date.UTC(2025, 0);
const ArchivedMetric = z.object({
  received_at: z.iso
    .datetime()
    .refine((time) => Date.parse(time) >= EARLIEST_METRIC_TIME && Date.parse(time) <= Date.now()),
  payload: IngestMetricsRequest.shape.payload,
});
type ArchivedMetric = z.infer<typeof ArchivedMetric>;

const INSERT_BYTES = 4_194_304;

/** More than the API allows, because these files hold the settings of many projects. */
const MAX_JSON_MEMBERS = 10 * LIMITS.jsonMembers;
/** A line of metrics has two more than the request: the key and the value of `id`. */
const MAX_METRIC_MEMBERS = LIMITS.jsonMembers + 2;

/**
 * Creates an account from a file that `exportAccount` wrote, on this or another server: display
 * name, page, pictures, projects and metrics. The file is not trusted: it has to pass the rules of
 * the API. Keys, passkeys, email addresses and domains are not imported, because the archive does
 * not prove that they belong to the owner.
 */
export async function importAccount(
  trx: Transaction,
  app: NameServices,
  { file, displayName, maxBytes, onProgress }: ImportOptions,
): Promise<ImportedAccount> {
  const { allowances } = app;
  using zip = await openZipFile(file);
  requireMaxBytes(zip, maxBytes);
  if (!(await hasAnyAccount(trx)))
    throw new InvalidArchiveError(
      'There is no account yet. The first one belongs to the operator. Create yours first, with the command: accounts create',
    );
  const { display_name: archivedName, ...settings } = await readJson(
    zip,
    'account.json',
    ArchivedAccount,
  );
  const name = displayName ?? archivedName;
  const { account_id, display_name } = await insertNamedAccount(trx, app, name);
  await updateAccountSettings(trx, account_id, settings);

  // Pictures and projects get new ids. Map the old ids to them, to update the references in the
  // page.
  const newIds = new Map<string, string>();
  const pictureIds = zip.names
    .flatMap((entry) => /^pictures\/(.+)\.webp$/.exec(entry)?.[1] ?? [])
    .filter((id) => PICTURE_ID_PATTERN.test(id));
  // The archive has the newest first.
  for (const id of pictureIds.toReversed()) {
    const picture = await readEntry(zip, `pictures/${id}.webp`, LIMITS.pictureBytes);
    const limits = { pictureByteLimit: allowances.pictureByteLimit, uploadsPerHour: 0 };
    const upload = await decodeUpload({ accountId: account_id, file: picture }, limits);
    const stored = await insertUpload(trx, upload, limits);
    newIds.set(id, stored.id);
  }
  let metrics = 0;
  const projects = await readJson(zip, 'projects.json', ArchivedProjects);
  for (const { id: oldId, name: projectName, retention_days: days } of projects) {
    const { id } = await addProject(
      trx,
      { accountId: account_id, name: projectName },
      allowances.projectLimit,
    );
    newIds.set(oldId, id);
    await updateMetricRetentionDays(trx, { id, days });
    for await (const batch of readMetrics(zip, `metrics/${oldId}.ndjson`)) {
      await createPartitionsFor(trx, batch);
      await insertStoredMetrics(trx, id, batch);
      onProgress((metrics += batch.length));
    }
  }
  await importSite(trx, account_id, replaceIds(await readEntry(zip, 'site.json'), newIds));
  return {
    account_id,
    display_name,
    pictures: pictureIds.length,
    projects: projects.length,
    metrics,
  };
}

/** An archive can be a thousand times smaller than its contents, which fill memory and disk. */
function requireMaxBytes(zip: OpenZipFile, maxBytes: number): void {
  const bytes = zip.names.reduce((sum, name) => sum + (zip.size(name) ?? 0), 0);
  if (bytes <= maxBytes) return;
  const megabytes = (count: number) => Math.ceil(count / 1_000_000);
  throw new InvalidArchiveError(
    `The archive unpacks to ${megabytes(bytes)} MB, and the limit is ${megabytes(maxBytes)} MB. If you trust it, add --max-megabytes ${megabytes(bytes)}`,
  );
}

async function importSite(trx: Transaction, accountId: string, json: Buffer): Promise<void> {
  const { enabled, counts_visits, site, blocks } = parseJson('site.json', json, ArchivedSite);
  const { settings, ...details } = site;
  const request = parseWith('site.json', UpdateSiteConfigurationRequest, {
    ...details,
    blocks: addPageSettingsBlock({ settings, blocks } as PageContent),
  });
  await changeSite(trx, accountId, request);
  if (!counts_visits) await saveSiteChoices(trx, accountId, { counts_visits });
  await setSiteEnabled(trx, accountId, enabled);
}

function replaceIds(json: Buffer, newIds: ReadonlyMap<string, string>): Buffer {
  let replaced = json.toString('utf8');
  for (const [oldId, newId] of newIds) replaced = replaced.replaceAll(oldId, newId);
  return Buffer.from(replaced);
}

async function* readMetrics(zip: OpenZipFile, name: string): AsyncGenerator<ArchivedMetric[]> {
  let batch: ArchivedMetric[] = [];
  let bytes = 0;
  for await (const line of readLines(zip, name)) {
    batch.push(parseJson(name, line, ArchivedMetric, MAX_METRIC_MEMBERS));
    bytes += line.length;
    if (bytes < INSERT_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function* readLines(zip: OpenZipFile, name: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of zip.read(name)) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 2 * LIMITS.bodyBytes) throw invalidEntryError(name, 'a line is too long');
  }
  if (rest.length > 0) yield rest;
}

async function createPartitionsFor(
  trx: Transaction,
  metrics: readonly ArchivedMetric[],
): Promise<void> {
  const months = new Set(metrics.map(({ received_at }) => received_at.slice(0, 7)));
  for (const month of months) await createMetricPartitions(trx, new Date(`${month}-01`));
}

async function readJson<Schema extends z.ZodType>(
  zip: OpenZipFile,
  name: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  return parseJson(name, await readEntry(zip, name), schema);
}

async function readEntry(
  zip: OpenZipFile,
  name: string,
  maxBytes = 4 * LIMITS.bodyBytes,
): Promise<Buffer> {
  if ((zip.size(name) ?? 0) > maxBytes) throw invalidEntryError(name, 'it is too large');
  return buffer(zip.read(name));
}

function parseJson<Schema extends z.ZodType>(
  name: string,
  json: Buffer,
  schema: Schema,
  maxMembers = MAX_JSON_MEMBERS,
): z.output<Schema> {
  let value: unknown;
  try {
    value = parseJsonBody(json, maxMembers);
  } catch (error) {
    if (error instanceof RefusalError) throw invalidEntryError(name, error.message);
    throw error;
  }
  return parseWith(name, schema, value);
}

function parseWith<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidEntryError(name, `${issue!.message} (${issue!.path.join('.')})`);
}

function invalidEntryError(name: string, reason: string): InvalidArchiveError {
  return new InvalidArchiveError(`${name} in the archive cannot be imported: ${reason}`);
}
