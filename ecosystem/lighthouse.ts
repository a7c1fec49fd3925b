import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from './sdk/nameplate-server.ts';
import { tool } from './tool.ts';

const here = import.meta.dirname;
const REPORT = 'generated/lighthouse.json';
const DOCUMENT = join(here, '../docs/site-blocks.md');
/**
 * Maximum number of runs for a page. Lighthouse estimates how fast a phone would be from what it saw
 * here, so other work on this machine costs points for `performance`: the best run counts.
 */
const RUNS = 5;
const TIMED = 'performance';
/**
 * `benchmarkIndex` of the phone that Lighthouse has in mind: a fast desktop computer, which has 1600,
 * slowed down four times. A slower machine is slowed down less, as Lighthouse's documents advise.
 */
const PHONE_INDEX = 400;

/** Largest layout shift of a page, half of what counts as good: text moves a little when its font comes. */
const MAX_SHIFT = 0.05;
const SHIFT = 'cumulative-layout-shift';

/** The first screen of the dashboard and the largest one; test/browser has accessibility and layout shifts of all. */
const PLACES = ['', 'page'];

interface Report {
  environment: { benchmarkIndex: number };
  categories: Record<string, { title: string; score: number }>;
  audits: Record<
    string,
    { id: string; score: number | null; title: string; numericValue?: number }
  >;
}

interface Block {
  type: string;
  picture?: string;
}

interface Wanted {
  /** Score, at most 1; everything else has to be perfect. */
  performance: number;
  flags?: string[];
}

/** Shows a site and holds its page against Lighthouse, as on a telephone: 100 in everything. */
export async function checkPage({ url, apiKey }: RunningServer): Promise<string> {
  // Pictures would be somebody else's.
  const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```json\n(.*?)^```$/gms)]
    .flatMap(([, json]) => JSON.parse(json!) as Block | Block[])
    .filter(({ type }) => type !== 'image')
    .map((block) => ({ ...block, picture: undefined }));
  const headers = { 'x-api-key': apiKey };
  await post(`${url}/account/update-display-name`, { display_name: 'jane-doe' }, headers);
  await post(
    `${url}/site/update-site-configuration`,
    { bio: 'Potter in Lisbon.', blocks },
    headers,
  );
  await post(`${url}/site/toggle-site-visibility`, {}, headers);
  await fetch(`${url}/@jane-doe`);
  return check(`${url}/@jane-doe`, { performance: 1 });
}

/**
 * Checks the login and three screens of the dashboard with Lighthouse: 100 in everything but speed, of
 * which it wants 80, since that depends on the machine (a quiet one gives 93 to 100); nothing may move.
 * Search engines are to leave the dashboard out, so that they may not index it is no fault.
 */
export async function checkDashboard({ url, apiKey }: RunningServer): Promise<string> {
  const wanted = {
    performance: 0.8,
    flags: [
      '--only-categories=performance,accessibility,best-practices,seo',
      '--skip-audits=is-crawlable',
    ],
  };
  await check(`${url}/dashboard/login`, wanted);
  const projects = await fetch(`${url}/stats/get-projects`, { headers: { 'x-api-key': apiKey } });
  const { projects: [project] = [] } = (await projects.json()) as { projects?: { id: string }[] };
  if (!project) throw new Error('There is no project to plot.');
  const metric = { projectId: project.id, payload: { visitors: 42 } };
  await post(`${url}/stats/ingest-metrics`, metric, { 'x-api-key': apiKey });
  const session = await post(`${url}/owner/session/create-session`, { apiKey }, { origin: url });
  const cookie = session.headers.get('set-cookie')!.split(';')[0];
  const flags = [...wanted.flags, `--extra-headers=${JSON.stringify({ cookie })}`];
  for (const place of [...PLACES, `metrics/${project.id}`])
    await check(`${url}/dashboard/${place}`, { ...wanted, flags });
  return '';
}

async function post(url: string, body: object, more: Record<string, string>): Promise<Response> {
  const headers = { ...more, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

async function check(url: string, { performance, flags = [] }: Wanted): Promise<string> {
  let found: string[] = [];
  let slowdown = 4;
  for (let run = 0; run < RUNS; run += 1) {
    const slowed = [...flags, `--throttling.cpuSlowdownMultiplier=${slowdown}`];
    const { below, complaints } = await report(url, slowed).then(
      (seen) => {
        slowdown = Math.min(4, Math.max(1, seen.environment.benchmarkIndex / PHONE_INDEX));
        return judge(seen, performance);
      },
      // It stumbled itself, as it does where much else runs.
      (error: unknown) => ({ below: [TIMED], complaints: [String(error)] }),
    );
    if (below.length === 0) return '';
    found = complaints;
    if (below.some((category) => category !== TIMED)) break;
  }
  throw new Error([url, ...found].join('\n'));
}

async function report(url: string, more: string[]): Promise<Report> {
  const flags = '--headless=new --no-sandbox --disable-gpu';
  await tool(
    'lighthouse',
    [
      url,
      '--quiet',
      '--output=json',
      `--output-path=${REPORT}`,
      `--chrome-flags=${flags}`,
      ...more,
    ],
    { CHROME_PATH: '/usr/bin/chromium' },
  );
  return JSON.parse(readFileSync(join(here, REPORT), 'utf8')) as Report;
}

/** The categories that have too little, and what they miss. */
function judge(
  { categories, audits }: Report,
  performance: number,
): { below: string[]; complaints: string[] } {
  const below = Object.entries(categories).filter(
    ([name, { score }]) => score < (name === TIMED ? performance : 1),
  );
  const failed = Object.values(audits).filter(({ score }) => score !== null && score < 1);
  const complaints = [...below.map(([, category]) => category), ...failed];
  const shift = audits[SHIFT]?.numericValue ?? 0;
  return {
    below: [...below.map(([name]) => name), ...(shift > MAX_SHIFT ? [SHIFT] : [])],
    complaints: [
      ...complaints.map(({ title, score }) => `${title}: ${score}`),
      `Layout shift: ${shift}`,
    ],
  };
}
