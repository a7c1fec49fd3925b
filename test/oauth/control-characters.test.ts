import { expect, it } from 'vitest';
import { CALLBACK, startLogin, useOAuth } from './support/use-oauth.ts';

const fixture = useOAuth();
const { server } = fixture;

const PARAMS = ['client_id', 'state', 'nonce', 'scope', 'redirect_uri', 'resource', 'other\u0000'];

it.each(PARAMS)('a sign-in with NUL in %j is refused', async (name) => {
  const url = new URL((await startLogin(await fixture.createWebsite())).url);
  url.searchParams.set(name, 'a\u0000');
  const page = await fixture.createBrowser().visit(url.href);
  expect(page.status).toBe(400);
  expect(page.text).toContain('invalid_request');
});

it.each([...PARAMS, 'code', 'refresh_token', 'token'])(
  'a request of a program with NUL in %j is refused',
  async (name) => {
    const { id, secret } = await fixture.createWebsite();
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/userinfo']) {
      const fields = { grant_type: 'refresh_token', client_id: id, client_secret: secret };
      const response = await server.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ ...fields, [name]: 'a\u0000' }).toString(),
      });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ error: 'invalid_request' });
    }
  },
);

it('a client id with NUL in a header or at the logout never fails the server', async () => {
  const authorization = `Basic ${Buffer.from('a%00:b').toString('base64')}`;
  const response = await server.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
    payload: `grant_type=refresh_token&refresh_token=x&redirect_uri=${CALLBACK}`,
  });
  expect(response.json()).toMatchObject({ error: 'invalid_request' });
  const logout = await server.app.inject({
    method: 'POST',
    url: '/oauth/logout?client_id=%00&post_logout_redirect_uri=https://wiki.example/bye',
    headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
  expect(logout.statusCode).toBe(200);
});
