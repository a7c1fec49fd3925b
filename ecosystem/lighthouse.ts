import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from './sdk/nameplate-server.ts';
import { runTool } from './run-tool.ts';

const here = import.meta.dirname;
const REPORT_FILE = 'generated/lighthouse.json';
const DOCUMENT = join(here, '../docs/site-blocks.md');
/**
 * Maximum number of runs per page. One good run is enough, because other work on this machine
 * lowers the performance score.
 */
const MAX_RUNS = 5;
const PERFORMANCE = 'performance';
/**
 * `benchmarkIndex` of the simulated phone: a quarter of a fast desktop computer's (1,600). The CPU
 * slowdown is this machine's index divided by it, because Lighthouse recommends less throttling on
 * slower machines.
 */
const PHONE_BENCHMARK_INDEX = 400;

/** Half of Lighthouse's limit (0.1). Not 0, because text moves a little when its font loads. */
const MAX_LAYOUT_SHIFT = 0.05;
const LAYOUT_SHIFT = 'cumulative-layout-shift';

/** The first and the largest screen. Browser tests check accessibility and layout shifts of all screens. */
const SCREENS = ['', 'page'];

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

interface Requirements {
  /** Minimum score, up to 1. All other categories need 1. */
  performance: number;
  flags?: string[];
}

/** Publishes a site and checks its page with Lighthouse as on a phone. All scores must be 100. */
export async function checkPage({ url, apiKey }: RunningServer): Promise<string> {
  // Leave out pictures: they are on external hosts, or were never uploaded.
  const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```json\n(.*?)^```$/gms)]
    .flatMap(([, json]) => JSON.parse(json!) as Block | Block[])
    .filter(({ type }) => type !== 'image' && type !== 'gallery')
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
 * Checks the login and three dashboard screens with Lighthouse. All scores must be 100, except
 * performance (80), which depends on the machine, and the layout shift must not exceed `MAX_LAYOUT_SHIFT`.
 * Skips the audit for indexing, because search engines must not index the dashboard.
 */
export async function checkDashboard({ url, apiKey }: RunningServer): Promise<string> {
  const requirements = {
    performance: 0.8,
    flags: [
      '--only-categories=performance,accessibility,best-practices,seo',
      '--skip-audits=is-crawlable',
    ],
  };
  await check(`${url}/dashboard/login`, requirements);
  const projects = await fetch(`${url}/stats/get-projects`, { headers: { 'x-api-key': apiKey } });
  const { projects: [project] = [] } = (await projects.json()) as { projects?: { id: string }[] };
  if (!project) throw new Error('There is no project to plot.');
  const metric = { projectId: project.id, payload: { visitors: 42 } };
  await post(`${url}/stats/ingest-metrics`, metric, { 'x-api-key': apiKey });
  const session = await post(
    `${url}/owner/session/create-session`,
    { api_key: apiKey },
    { origin: url },
  );
  const cookie = session.headers.get('set-cookie')!.split(';')[0];
  const flags = [...requirements.flags, `--extra-headers=${JSON.stringify({ cookie })}`];
  for (const screen of [...SCREENS, `metrics/${project.id}`])
    await check(`${url}/dashboard/${screen}`, { ...requirements, flags });
  return '';
}

async function post(
  url: string,
  body: object,
  extraHeaders: Record<string, string>,
): Promise<Response> {
  const headers = { ...extraHeaders, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

async function check(url: string, { performance, flags = [] }: Requirements): Promise<string> {
  let lastComplaints: string[] = [];
  let slowdown = 4;
  for (let run = 0; run < MAX_RUNS; run += 1) {
    const slowdownFlags = [...flags, `--throttling.cpuSlowdownMultiplier=${slowdown}`];
    const { failedChecks, complaints } = await runLighthouse(url, slowdownFlags).then(
      (lighthouseReport) => {
        slowdown = Math.min(
          4,
          Math.max(1, lighthouseReport.environment.benchmarkIndex / PHONE_BENCHMARK_INDEX),
        );
        return findFailures(lighthouseReport, performance);
      },
      // Lighthouse itself sometimes fails on a busy machine.
      (error: unknown) => ({ failedChecks: [PERFORMANCE], complaints: [String(error)] }),
    );
    if (failedChecks.length === 0) return '';
    lastComplaints = complaints;
    if (failedChecks.some((category) => category !== PERFORMANCE)) break;
  }
  throw new Error([url, ...lastComplaints].join('\n'));
}

async function runLighthouse(url: string, extraFlags: string[]): Promise<Report> {
  const chromeFlags = '--headless=new --no-sandbox --disable-gpu';
  await runTool(
    'lighthouse',
    [
      url,
      '--quiet',
      '--output=json',
      `--output-path=${REPORT_FILE}`,
      `--chrome-flags=${chromeFlags}`,
      ...extraFlags,
    ],
    { CHROME_PATH: '/usr/bin/chromium' },
  );
  return JSON.parse(readFileSync(join(here, REPORT_FILE), 'utf8')) as Report;
}

/**
 * `failedChecks` lists the categories below their minimum, and a layout shift above its maximum.
 * `complaints` also contains failed audits, and always the layout shift.
 */
function findFailures(
  { categories, audits }: Report,
  performance: number,
): { failedChecks: string[]; complaints: string[] } {
  const failedCategories = Object.entries(categories).filter(
    ([name, { score }]) => score < (name === PERFORMANCE ? performance : 1),
  );
  const failedAudits = Object.values(audits).filter(({ score }) => score !== null && score < 1);
  const complaints = [...failedCategories.map(([, category]) => category), ...failedAudits];
  const shift = audits[LAYOUT_SHIFT]?.numericValue ?? 0;
  return {
    failedChecks: [
      ...failedCategories.map(([name]) => name),
      ...(shift > MAX_LAYOUT_SHIFT ? [LAYOUT_SHIFT] : []),
    ],
    complaints: [
      ...complaints.map(({ title, score }) => `${title}: ${score}`),
      `Layout shift: ${shift}`,
    ],
  };
}
