import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { html } from 'hono/html';
import { PALETTE_CSS } from '../../../contract/palette.ts';
import { explainError } from './error-answer.ts';
import { refusalHeaders, securityHeaders } from './headers.ts';

const STYLE = [
  `:root{color-scheme:light dark;${PALETTE_CSS}}`,
  'body{max-width:34rem;margin:20vh auto 2rem;padding:0 1.5rem;font:1.125rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere;background:var(--background);color:var(--text)}',
  'h1{font-size:clamp(1.6rem,6vw,2.2rem);line-height:1.2;letter-spacing:-.02em;text-wrap:balance}',
  'button{font:inherit;font-weight:600;min-height:3.25rem;margin-top:.75rem;padding:.5rem 1.5rem;border:1px solid transparent;border-radius:1rem;cursor:pointer;background:var(--accent);color:var(--on-accent)}',
  ':focus-visible{outline:3px solid var(--accent);outline-offset:3px}',
].join('');

/** Policy of such a page. */
export const PAGE_POLICY = {
  'style-src': `'sha256-${hash('sha256', STYLE, 'base64')}'`,
  'form-action': "'self'",
};

/** Headers of every page. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  ...securityHeaders(PAGE_POLICY),
};

/** Gives every answer of a scope the headers of pages, and says what goes wrong there on a page. */
export function answerInPages(scope: FastifyInstance, headers = PAGE_HEADERS): void {
  scope.setErrorHandler((error, request, reply) => {
    const explained = explainError(error, request);
    return reply
      .status(explained.status)
      .headers({ ...headers, ...refusalHeaders(explained) })
      .send(renderPage({ title: explained.message }));
  });
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

export interface Page {
  title: string;
  text?: string;
  /** Text of the page's one button; pressing it posts to the page's own address. */
  button?: string;
}

/** Renders a page of plain texts. */
export function renderPage({ title, text, button }: Page): string {
  const parts = [
    html`<h1>${title}</h1>`,
    text && html`<p>${text}</p>`,
    button && html`<form method="post"><button>${button}</button></form>`,
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${String(html`${title}`)}</title>
<style>${STYLE}</style>
<body>
${parts.filter(Boolean).join('\n')}
</body>
</html>
`;
}
