import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectStandardHeaders } from '../support/response-expectations.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

describe('the security headers', () => {
  it.each(['/healthz', '/readyz', '/openapi.json', '/nowhere', '/account/%c0%ff'])(
    '%s has the headers of every JSON response',
    async (url) => {
      const { headers } = await server.app.inject(url);
      expectStandardHeaders(headers as Record<string, string>);
    },
  );

  it('the API reference allows only its own scripts', async () => {
    const { headers, payload } = await server.app.inject('/docs/reference/');
    const scriptHashes = [...payload.matchAll(/<script(?! src)[^>]*>([^]*?)<\/script>/g)].map(
      ([, script]) => `'sha256-${hash('sha256', script!, 'base64')}'`,
    );
    expect(scriptHashes).toHaveLength(2);
    expect(headers).toMatchObject({
      'content-security-policy': [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        `script-src 'self' ${scriptHashes.join(' ')}`,
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('the script of the API reference also has them', async () => {
    const { headers } = await server.app.inject('/docs/reference/js/scalar.js');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });
});
