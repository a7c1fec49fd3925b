import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { Nameplate } from '../../client/src/index.ts';
import { ownerOf } from '../../client/src/owner.ts';
import type { VisitKind } from '../../contract/visits.ts';
import { openForCommand } from '../../server/admin/open-database.ts';
import { createLoginLink } from '../../server/service/sessions/login-link.ts';
import type { PublicSite } from '../../server/service/site-page/public-site.ts';
import { loadConfig } from '../../server/service/settings/config.ts';
import { DESIGNS, SITES, designed } from '../pages/support/designs.ts';
import { siteViewer } from './support/site-viewer.ts';

/** Where the dashboard says that it is. */
const PUBLIC_URL = 'https://commons.example';
const WIDTH = 1_440;
/** Height of the dashboard's picture, in CSS pixels. */
const SCREEN = 900;
const PHONE = { width: 390, height: 780 };

/** Takes the pictures of README.md: the dashboard of a page with visitors, and three pages. */
export async function readmePictures(browser: Browser): Promise<void> {
  await dashboard(browser, pathOf('dashboard.png'));
  await phones(browser, pathOf('pages.jpg'));
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../docs/pictures/${file}`, import.meta.url));
}

/** Pages in three designs, each on a phone, side by side. */
async function phones(browser: Browser, path: string): Promise<void> {
  const page = await browser.newPage({ viewport: PHONE, deviceScaleFactor: 2 });
  const show = await siteViewer(page);
  const shown: string[] = [];
  for (const theme of ['meadow', 'paper', 'ember']) {
    await show(designed(SITES['ordinary']!, DESIGNS[theme]!));
    const data = (await page.screenshot()).toString('base64');
    shown.push(`<img src="data:image/png;base64,${data}">`);
  }
  const sheet = await browser.newPage({
    viewport: { width: WIDTH, height: 100 },
    deviceScaleFactor: 1.5,
  });
  await sheet.setContent(
    `<!doctype html><style>body{display:flex;justify-content:center;gap:56px;margin:0;padding:64px 0;background:#e9e4db}img{width:${PHONE.width}px;height:${PHONE.height}px;display:block;border:10px solid #16150f;border-radius:48px;box-shadow:0 24px 60px #0003}</style>${shown.join('')}`,
  );
  await sheet.screenshot({ path, type: 'jpeg', quality: 85, fullPage: true });
}

/** The first screen of the dashboard, of a server with one account that has a page and visitors. */
async function dashboard(browser: Browser, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  // As root the private database runs as another user, who must get through.
  await chmod(folder, 0o711);
  const settings = { DATA_DIR: join(folder, 'data'), PORT: '0', PUBLIC_URL };
  const server = spawn(process.execPath, ['server/process/main.ts'], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const origin = await listening(server.stderr);
    const link = await fill(settings, origin);
    const page = await browser.newPage({
      viewport: { width: WIDTH, height: SCREEN },
      deviceScaleFactor: 1.5,
      reducedMotion: 'reduce',
    });
    await page.route(`${PUBLIC_URL}/**`, async (route) => {
      const request = route.request();
      const response = await route.fetch({
        url: request.url().replace(PUBLIC_URL, origin),
        headers: { ...request.headers(), 'sec-fetch-site': 'same-origin' },
        maxRedirects: 0,
      });
      // A picture waits for its font.
      const body = (await response.text()).replaceAll(
        'font-display:optional',
        'font-display:block',
      );
      await route.fulfill(
        /css/.test(response.headers()['content-type'] ?? '') ? { response, body } : { response },
      );
    });
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Views this week').waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path });
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => void server.once('close', resolve));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until the server is ready; returns its address. */
async function listening(said: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of said) {
    text += String(part);
    const [, origin] = /listens on (http:\S+)[^]*^Ready\./m.exec(text) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error(`the server ended:\n${text}`);
}

/** Gives the first account a page, two weeks of visitors and some metrics; returns a login link. */
async function fill(settings: Record<string, string>, baseUrl: string): Promise<string> {
  const firstKey = await readFile(join(settings['DATA_DIR']!, 'first-key'), 'utf8');
  const [, apiKey = '', projectId = ''] = /KEY=(\S+) PROJECT=(\S+)/.exec(firstKey)!;
  const client = new Nameplate({ apiKey, baseUrl });
  const owner = ownerOf(client);
  const { avatarUrl, title, bio, blocks } = await withPictures(
    designed(SITES['ordinary']!, DESIGNS['paper']!),
    async (bytes) => (await owner.pictures.upload(bytes)).picture.url,
  );
  await client.account.updateDisplayName({ display_name: 'mira' });
  await client.site.updateSiteConfiguration({
    display_name: title!,
    bio: bio!,
    avatar_url: avatarUrl!,
    theme_id: DESIGNS['paper']!.site.themeId!,
    blocks: [...blocks!],
  });
  await client.site.toggleSiteVisibility();
  const { db, close } = await openForCommand(loadConfig(settings), false);
  try {
    const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    await db.insertInto('page_visits').values(visits(id)).execute();
    await db.insertInto('metrics').values(metrics(projectId)).execute();
    return await createLoginLink(db, id, PUBLIC_URL);
  } finally {
    await close();
  }
}

/** A site whose pictures are uploaded instead of drawn at an address of their own. */
async function withPictures(
  site: Partial<PublicSite>,
  upload: (bytes: Buffer) => Promise<string>,
): Promise<Partial<PublicSite>> {
  let text = JSON.stringify(site);
  for (const name of ['portrait', 'mugs', 'bowl']) {
    const file = new URL(`support/pictures/${name}.svg`, import.meta.url);
    const url = await upload(await sharp(fileURLToPath(file)).png().toBuffer());
    text = text.replaceAll(`https://example.org/${name}.svg`, url);
  }
  return JSON.parse(text) as Partial<PublicSite>;
}

/** Metrics of this month, the only one that a new database has room for. */
function metrics(project_id: string) {
  const now = new Date();
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  return Array.from({ length: 400 }, (_, at) => {
    const share = (at / 400) ** 0.8;
    return {
      project_id,
      payload: JSON.stringify({ mugs: 1 + (at % 4) }),
      received_at: new Date(month + (now.getTime() - month) * share),
    };
  });
}

/** Views of the last two weeks, and where they came from. */
function visits(account_id: string) {
  return Array.from({ length: 14 }, (_, ago) => {
    const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const row = (kind: VisitKind, value: string, count: number) => ({
      account_id,
      kind,
      day,
      value,
      count: String(count),
    });
    const views = 236 - 9 * ago - ((ago * 37) % 50);
    return [
      row('view', '', views),
      row('referrer', 'instagram.com', Math.round(views / 3)),
      row('device', 'mobile', Math.round(views * 0.7)),
    ];
  }).flat();
}
