import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

describe('the security headers', () => {
  it('the API reference allows only its own script and style', async () => {
    const { headers, payload } = await server.app.inject('/docs/reference/');
    const hashOf = (pattern: RegExp) =>
      `'sha256-${hash('sha256', pattern.exec(payload)![1]!, 'base64')}'`;
    expect(headers).toMatchObject({
      'content-security-policy': [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        `style-src 'self' ${hashOf(/<style>([^]*?)<\/style>/)}`,
        "img-src 'self'",
        "font-src 'self'",
        `script-src ${hashOf(/<script>([^]*?)<\/script>/)}`,
        "frame-ancestors 'none'",
      ].join('; '),
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
  });
});
