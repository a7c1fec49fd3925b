import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { Nameplate, type UpdateSiteConfigurationRequest } from '#client/index.ts';
import { ownerOf } from '#client/owner.ts';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import { addPageSettingsBlock } from '#contract/shared/page-settings-block.ts';
import type { VisitKind } from '#contract/shared/visits.ts';
import type { Database } from '#db/connections/handles.ts';
import type { PublicSite } from '#page/public-site.ts';
import { openForCommand } from '#server/entry/cli/open-database.ts';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { DESIGNS, SITES, withDesign } from '#test/pages/support/designs.ts';
import type { ExampleServer } from './example-server.ts';

const run = promisify(execFile);

/** Members besides Mira, the operator: name, site, design and title of the page. */
const MEMBERS = {
  jonas: ['sparse', 'ember', 'Jonas Weber'],
  layla: ['arabic', 'daylight', 'ليلى حداد'],
  'studio-lisboa': ['ordinary', 'gallery', 'Studio Lisboa'],
} as const;

/** More members, whose pages have only a title. They joined one after the other, a week apart. */
const EARLIER_MEMBERS = [
  ...['Aylin Demir', 'Ben Carter', 'Clara Vogel', 'Dev Patel', 'Elif Kaya', 'Finn Larsen'],
  ...['Greta Lindt', 'Hugo Martin', 'Ines Costa', 'Jakub Nowak', 'Kofi Mensah', 'Lea Fischer'],
];

const INVITED_CSV =
  'name,email\nAda Nowak,ada@example.org\nBen Okoye,ben@example.org\nCleo Marques,cleo@example.org\n';

/**
 * Mira has a page, two weeks of visitors and metrics; three other members have pages. With a mail
 * server, three more people are invited, so their mails are sent. Returns a login link of Mira.
 */
export async function createExampleData(
  { settings, origin: baseUrl }: Pick<ExampleServer, 'settings' | 'origin'>,
  publicUrl: string,
): Promise<string> {
  const firstKey = await readFile(join(settings['DATA_DIR']!, 'first-key'), 'utf8');
  const [, apiKey = '', projectId = ''] = /NAMEPLATE_API_KEY=(\S+) PROJECT=(\S+)/.exec(firstKey)!;
  const owner = ownerOf(new Nameplate({ apiKey, baseUrl }));
  await owner.keys.createKey({ label: 'Website', scope: 'all' });
  await owner.projects.updateProject({ project_id: projectId, name: 'Shop' });
  await owner.account.updateAccountName({ display_name: 'mira' });
  await publishSite(apiKey, baseUrl, withDesign(SITES['ordinary']!, DESIGNS['paper']!));
  if (settings['SMTP_URL'] !== undefined) {
    for (const [name, [site, design, title]] of Object.entries(MEMBERS)) {
      const key = await createKey(settings, 'members.createMember', '--display-name', name);
      const example = { ...SITES[site], display_name: title };
      await publishSite(key, baseUrl, withDesign(example, DESIGNS[design]!));
    }
    const operatorKey = await createKey(
      settings,
      ...['keys.createKey', '--account', 'mira', '--scope', 'operator'],
    );
    const operator = ownerOf(new Nameplate({ apiKey: operatorKey, baseUrl }));
    await operator.invitations.createInvitations({ csv: INVITED_CSV, days: 14, mail: true });
  }
  const { db, close } = await openForCommand(loadConfig(settings));
  try {
    const { account_id: accountId } = await db
      .selectFrom('projects')
      .select('account_id')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow();
    if (settings['SMTP_URL'] !== undefined) await insertEarlierMembers(db);
    await db.insertInto('page_visits').values(createVisits(accountId)).execute();
    await db.insertInto('metrics').values(createMetrics(projectId)).execute();
    return await createLoginLink(db, accountId, publicUrl);
  } finally {
    await close();
  }
}

/** Runs a command that prints an API key with `--json`, and returns the key. */
async function createKey(settings: Record<string, string>, ...command: string[]): Promise<string> {
  const args = ['server/entry/cli/cli.ts', ...command, '--json'];
  const env = { ...process.env, ...settings };
  const { stdout } = await run(process.execPath, args, { env });
  return (JSON.parse(stdout) as { api_key: string }).api_key;
}

/** One of them was reported. */
async function insertEarlierMembers(db: Database): Promise<void> {
  for (const [index, display_name] of EARLIER_MEMBERS.entries()) {
    const created_at = new Date(Date.now() - (index + 1) * 7 * DAY_MS);
    const last_seen_at = new Date(Date.now() - index ** 2 * 0.4 * DAY_MS);
    const { id: account_id } = await db
      .insertInto('accounts')
      .values({ created_at, last_seen_at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const name = display_name.toLowerCase().replace(' ', '-');
    await db.insertInto('display_names').values({ name, account_id }).execute();
    await db.insertInto('forwarding_settings').values({ account_id }).execute();
    const enabled = index % 4 !== 3;
    await db.insertInto('sites').values({ account_id, display_name, enabled }).execute();
    if (index === 0)
      await db
        .insertInto('reports')
        .values([
          { account_id, name, reason: 'impersonation', text: 'This is not Aylin.' },
          { account_id, name, reason: 'scam', email: 'noor@example.org' },
        ])
        .execute();
  }
}

/** Uploads the pictures of a site, saves it and shows it. */
async function publishSite(
  apiKey: string,
  baseUrl: string,
  example: Partial<PublicSite>,
): Promise<void> {
  const client = new Nameplate({ apiKey, baseUrl });
  let text = JSON.stringify(example);
  for (const name of ['portrait', 'mugs', 'bowl']) {
    const file = new URL(`../../test/browser/support/pictures/${name}.svg`, import.meta.url);
    const { picture } = await ownerOf(client).pictures.uploadPicture(
      await sharp(fileURLToPath(file)).png().toBuffer(),
    );
    text = text.replaceAll(`https://example.org/${name}.svg`, picture.url);
  }
  const { display_name, bio, avatar_url, theme_id, custom_theme, settings, blocks } = JSON.parse(
    text,
  ) as PublicSite;
  const site = {
    ...{ display_name, bio, avatar_url, theme_id, custom_theme },
    blocks: addPageSettingsBlock({ settings: settings ?? null, blocks: blocks ?? [] }),
  };
  await client.site.updateSiteConfiguration(site as UpdateSiteConfigurationRequest);
  await client.site.toggleSiteVisibility();
}

/** Metrics of this month, because a new database has no partitions for earlier months. */
function createMetrics(project_id: string) {
  const now = new Date();
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  return Array.from({ length: 400 }, (_, index) => {
    const share = (index / 400) ** 0.8;
    return {
      project_id,
      payload: JSON.stringify({ mugs: 1 + (index % 4) }),
      received_at: new Date(month + (now.getTime() - month) * share),
    };
  });
}

/** Shares of the views. */
const SHARES = {
  referrer: { 'instagram.com': 0.6, 'google.com': 0.15, 'bsky.app': 0.08 },
  source: { newsletter: 0.11, flyer: 0.04 },
  campaign: { 'spring market': 0.09 },
  device: { phone: 0.7, desktop: 0.26, tablet: 0.04 },
  country: { PT: 0.5, DE: 0.2, GB: 0.12, FR: 0.06 },
  link: {
    'https://example.bandcamp.com/': 0.2,
    'https://example.com/': 0.13,
    'https://example.substack.com/': 0.07,
  },
};

/** Two weeks of views, with referrers and clicks. */
function createVisits(account_id: string) {
  return Array.from({ length: 14 }, (_, daysAgo) => {
    const day = utcDay(Date.now() - daysAgo * DAY_MS);
    const row = (kind: VisitKind, value: string, count: number) => ({
      account_id,
      kind,
      day,
      value,
      count: String(count),
    });
    const views = 236 - 9 * daysAgo - ((daysAgo * 37) % 50);
    return [
      row('view', '', views),
      row('click', '', Math.round(views * 0.4)),
      ...Object.entries(SHARES).flatMap(([kind, shares]) =>
        Object.entries(shares).map(([value, share]) =>
          row(kind as VisitKind, value, Math.round(views * share)),
        ),
      ),
    ];
  }).flat();
}
