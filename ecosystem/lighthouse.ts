import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from './sdk/nameplate-server.ts';
import { tool } from './tool.ts';

const here = import.meta.dirname;
const REPORT = 'generated/lighthouse.json';
const DOCUMENT = join(here, '../docs/site-blocks.md');
/**
 * Lighthouse works out how fast a telephone would be from what it saw here, so whatever else the
 * machine does costs points, of `performance` alone: of that the best of some runs counts.
 */
const RUNS = 5;
const TIMED = 'performance';

interface Report {
  categories: Record<string, { title: string; score: number }>;
  audits: Record<string, { id: string; score: number | null; title: string }>;
}

/** Shows a site and holds its page against Lighthouse, as on a telephone: 100 in everything. */
export async function checkPage({ url, apiKey }: RunningServer): Promise<string> {
  const call = async (path: string, body: object) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  };
  // A picture would be somebody else's.
  const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```json\n(.*?)^```$/gms)]
    .flatMap(([, json]) => JSON.parse(json!) as { type: string } | { type: string }[])
    .filter(({ type }) => type !== 'image');
  await call('/account/update-display-name', { display_name: 'jane-doe' });
  await call('/site/update-site-configuration', { bio: 'Potter in Lisbon.', blocks });
  await call('/site/toggle-site-visibility', {});
  await fetch(`${url}/@jane-doe`);

  let found: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { below, complaints } = judge(await report(`${url}/@jane-doe`));
    if (below.length === 0) return '';
    found = complaints;
    if (below.some((category) => category !== TIMED)) break;
  }
  throw new Error(found.join('\n'));
}

async function report(url: string): Promise<Report> {
  const flags = '--headless=new --no-sandbox --disable-gpu';
  await tool(
    'lighthouse',
    [url, '--quiet', '--output=json', `--output-path=${REPORT}`, `--chrome-flags=${flags}`],
    { CHROME_PATH: '/usr/bin/chromium' },
  );
  return JSON.parse(readFileSync(join(here, REPORT), 'utf8')) as Report;
}

/** The categories that are not at 100, and what they miss. */
function judge({ categories, audits }: Report): { below: string[]; complaints: string[] } {
  const below = Object.entries(categories).filter(([, { score }]) => score < 1);
  const failed = Object.values(audits).filter(({ score }) => score !== null && score < 1);
  const complaints = [...below.map(([, category]) => category), ...failed];
  return {
    below: below.map(([name]) => name),
    complaints: complaints.map(({ title, score }) => `${title}: ${score}`),
  };
}
