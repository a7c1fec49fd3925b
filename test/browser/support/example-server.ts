import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { type BlockUpdate, Nameplate, themes } from '../../../client/src/index.ts';
import { ownerOf } from '../../../client/src/owner.ts';
import { addPageSettingsBlock } from '#contract/shared/page-settings-block.ts';
import type { VisitKind } from '#contract/shared/visits.ts';
import { openForCommand } from '#server/entry/cli/open-database.ts';
import { createLoginLink } from '#server/features/sessions/login-link.ts';
import type { PublicSite } from '#page/public-site.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { DESIGNS, SITES, withDesign } from '#test/pages/support/designs.ts';

/** The URL that the screenshots show instead of the server's real one. */
const PUBLIC_URL = 'https://commons.example';

/** A server with one account that has a page, visitors and metrics. */
export interface ExampleServer {
  /** Single-use link to the dashboard. */
  loginLink: string;
  publicUrl: string;
  /** Routes requests for `publicUrl` to the server. */
  serve(page: Page): Promise<void>;
  close(): Promise<void>;
}

export async function startExampleServer(): Promise<ExampleServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  // When root runs this, the embedded database runs as another user, who needs access.
  await chmod(folder, 0o711);
  const settings = { DATA_DIR: join(folder, 'data'), PORT: '0', PUBLIC_URL };
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const close = async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null)
      await new Promise((resolve) => void server.once('close', resolve));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const origin = await waitUntilListening(server.stderr);
    const loginLink = await createExampleData(settings, origin);
    return { loginLink, publicUrl: PUBLIC_URL, close, serve: (page) => routePage(page, origin) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function routePage(page: Page, origin: string): Promise<void> {
  await page.route(`${PUBLIC_URL}/**`, async (route) => {
    const request = route.request();
    const response = await route.fetch({
      url: request.url().replace(PUBLIC_URL, origin),
      headers: { ...request.headers(), 'sec-fetch-site': 'same-origin' },
      maxRedirects: 0,
    });
    if (!/css/.test(response.headers()['content-type'] ?? '')) return route.fulfill({ response });
    // Make the screenshot wait for the font.
    const body = (await response.text()).replaceAll('font-display:optional', 'font-display:block');
    return route.fulfill({ response, body });
  });
}

/** Waits until the server is ready and returns its URL. */
async function waitUntilListening(stderr: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stderr) {
    text += String(chunk);
    const [, origin] = /listens on (http:\S+)[^]*^Ready\./m.exec(text) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error(`the server ended:\n${text}`);
}

/** Creates a page, two weeks of visitors and some metrics. Returns a login link. */
async function createExampleData(
  settings: Record<string, string>,
  baseUrl: string,
): Promise<string> {
  const firstKey = await readFile(join(settings['DATA_DIR']!, 'first-key'), 'utf8');
  const [, firstApiKey = '', projectId = ''] = /KEY=(\S+) PROJECT=(\S+)/.exec(firstKey)!;
  const first = ownerOf(new Nameplate({ apiKey: firstApiKey, baseUrl }));
  const created = await first.keys.createKey({ label: 'Website', scope: 'all' });
  const client = new Nameplate({ apiKey: created.api_key, baseUrl });
  const owner = ownerOf(client);
  await owner.projects.renameProject({ project_id: projectId, name: 'Shop' });
  const site = await uploadPictures(
    withDesign(SITES['ordinary']!, DESIGNS['paper']!),
    async (bytes) => (await owner.pictures.upload(bytes)).picture.url,
  );
  await client.account.updateDisplayName({ display_name: 'mira' });
  await client.site.updateSiteConfiguration({
    display_name: site.display_name!,
    bio: site.bio!,
    avatar_url: site.avatar_url!,
    theme_id: themes.paper,
    blocks: addPageSettingsBlock({
      settings: site.settings!,
      blocks: site.blocks!,
    }) as BlockUpdate[],
  });
  await client.site.toggleSiteVisibility();
  const { db, close } = await openForCommand(loadConfig(settings));
  try {
    const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    await db.insertInto('page_visits').values(createVisits(id)).execute();
    await db.insertInto('metrics').values(createMetrics(projectId)).execute();
    return await createLoginLink(db, id, PUBLIC_URL);
  } finally {
    await close();
  }
}

/** Uploads the pictures and replaces their URLs. */
async function uploadPictures(
  site: Partial<PublicSite>,
  upload: (bytes: Buffer) => Promise<string>,
): Promise<Partial<PublicSite>> {
  let text = JSON.stringify(site);
  for (const name of ['portrait', 'mugs', 'bowl']) {
    const file = new URL(`pictures/${name}.svg`, import.meta.url);
    const url = await upload(await sharp(fileURLToPath(file)).png().toBuffer());
    text = text.replaceAll(`https://example.org/${name}.svg`, url);
  }
  return JSON.parse(text) as Partial<PublicSite>;
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

/** Two weeks of views with their referrers. */
function createVisits(account_id: string) {
  return Array.from({ length: 14 }, (_, daysAgo) => {
    const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
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
      row('referrer', 'instagram.com', Math.round(views / 3)),
      row('device', 'phone', Math.round(views * 0.7)),
    ];
  }).flat();
}
