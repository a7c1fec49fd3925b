import { hash } from 'node:crypto';
import { securityHeaders } from '../http/headers.ts';

const STYLE =
  'body{max-width:34rem;margin:15vh auto;padding:0 1.5rem;font:1.1rem/1.6 system-ui,sans-serif}button{font:inherit;padding:.5rem 1.2rem}';

/** Headers of every page. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  ...securityHeaders({
    'style-src': `'sha256-${hash('sha256', STYLE, 'base64')}'`,
    'form-action': "'self'",
  }),
};

export interface Page {
  title: string;
  text?: string;
  /** What the one button of the page says; pressing it posts to the page's own address. */
  button?: string;
}

/** Renders a page of plain texts. */
export function renderPage({ title, text, button }: Page): string {
  const parts = [
    `<h1>${escape(title)}</h1>`,
    text && `<p>${escape(text)}</p>`,
    button && `<form method="post"><button>${escape(button)}</button></form>`,
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<body>
${parts.filter(Boolean).join('\n')}
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
