import { readFileSync } from 'node:fs';
import { LOCAL_URL } from '#contract/openapi/info.ts';

const FOLDER = new URL('../../../../docs/', import.meta.url);

/** Files of `docs/` for people who write programs. They are served with the same relative paths. */
export const GUIDE_FILES = [
  ...['api', 'metrics', 'webhooks', 'connections', 'site-blocks', 'public-page'].map(
    (name) => `${name}.md`,
  ),
  ...['email-forwarding', 'mcp', 'login', 'limits'].map((name) => `${name}.md`),
  ...['mcp.mjs', 'metrics.py', 'metrics.go', 'webhook.py', 'webhook.go'].map(
    (name) => `examples/${name}`,
  ),
];

const LINK = /!?\[([^[\]]*)\]\(([^()[\]]*)\)/g;

/** Commands call this server, links lead only to what it serves, and there are no pictures. */
export function readGuide(file: string, origin: string): string {
  const isServed = (target: string) =>
    /^(?:https?:|#|\.\.\/openapi\.json$)/.test(target) ||
    GUIDE_FILES.includes(target.split('#')[0]!);
  return readFileSync(new URL(file, FOLDER), 'utf8')
    .replaceAll(LOCAL_URL, origin)
    .replaceAll(LINK, (link, label: string, target: string) => {
      if (link.startsWith('!')) return '';
      return isServed(target) ? link : label;
    });
}

/** The title of a guide and its first sentence. */
export function describeGuide(file: string, origin: string): [title: string, text: string] {
  const [, title = '', text = ''] =
    /^# (.+)\n+(?:## .+\n+)?(.+?)(?:(?<=\.)\s|:?\n)/.exec(readGuide(file, origin)) ?? [];
  return [title, text.replaceAll(LINK, '$1')];
}
