import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

const CONFIRMATION_PATH = `/confirm/${'x'.repeat(43)}`;

it.each([
  ['GET', CONFIRMATION_PATH, 404, 'This link is no longer valid.'],
  ['POST', CONFIRMATION_PATH, 404, 'This link is no longer valid.'],
  ['GET', '/confirm/%00', 404, 'This link is no longer valid.'],
  ['DELETE', CONFIRMATION_PATH, 405, 'The method is not supported here; use GET, HEAD, POST.'],
] as const)(
  '%s %s returns an HTML error page with security headers',
  async (method, url, status, message) => {
    const { statusCode, headers, payload } = await server.app.inject({ method, url });
    const style = /<style>([^]*)<\/style>/.exec(payload)?.[1] ?? '';
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        `style-src 'self' 'sha256-${hash('sha256', style, 'base64')}'`,
        "img-src 'self'",
        "font-src 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String) as string,
    });
    expect(payload).toContain(`<h1>${message}</h1>`);
    expect(payload).not.toContain('<script');
  },
);

it('an internal error of a page reveals no details', async () => {
  await server.database.db.schema.alterTable('forwarding_settings').renameTo('elsewhere').execute();
  const { statusCode, payload } = await server.app.inject({
    method: 'POST',
    url: CONFIRMATION_PATH,
  });
  await server.database.db.schema.alterTable('elsewhere').renameTo('forwarding_settings').execute();
  expect(statusCode).toBe(500);
  expect(payload).toContain('<h1>Something went wrong on the server.</h1>');
  expect(payload).not.toMatch(/forwarding_settings|relation|confirm/);
});
