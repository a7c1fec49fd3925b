import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { logIn } from '../support/session.ts';
import type { SignOnBrowser } from './support/sign-on-browser.ts';
import { useSignOn } from './support/use-sign-on.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Claims of a valid token, except `sub` and `sid`. */
function validClaims() {
  const iat = Math.floor(Date.now() / 1_000);
  return { iat, exp: iat + 120, jti: randomUUID(), events: { [EVENT]: {} } };
}

function useLogout(options: Parameters<typeof useSignOn>[0] = {}) {
  const fixture = useSignOn(options);
  const { createBrowser, createUser, getSession, sessionHeaders } = fixture;
  const post = async (form: string) => {
    const { statusCode, headers, payload } = await fixture.server.app.inject({
      method: 'POST',
      url: '/dashboard/sign-on/logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: form,
    });
    return { status: statusCode, headers, text: payload };
  };
  beforeAll(() => {
    fixture.provider.onLogout = async (form) => (await post(form)).status;
  });
  return {
    fixture,
    post,
    send: (token: string) => post(`logout_token=${token}`),
    join: async (user = createUser()) => {
      const browser = createBrowser();
      await browser.signOn(user);
      return { user, browser, id: (await getSession(browser)).account_id };
    },
    isSignedIn: async (browser: SignOnBrowser) => {
      const path = '/owner/sessions/get-session';
      const headers = sessionHeaders(browser);
      return (await call(fixture.server.app, { path, headers })).status === 200;
    },
  };
}

describe('a logout at the provider', () => {
  const { fixture, post, send, join, isSignedIn } = useLogout();

  it('a logout at the provider ends only the session that it is about, whoever started it here', async () => {
    const { user, browser, id } = await join();
    const { browser: otherDevice } = await join(user);
    const { browser: stranger } = await join();
    const { cookie = '' } = await logIn(fixture.server, id);
    await browser.endProviderSession(fixture.provider.issuer);
    expect(await isSignedIn(browser)).toBe(false);
    expect([await isSignedIn(otherDevice), await isSignedIn(stranger)]).toEqual([true, true]);
    const path = '/owner/sessions/get-session';
    expect((await call(fixture.server.app, { path, headers: { cookie } })).status).toBe(200);
    const events = await fixture.server.sql`SELECT detail FROM events
      WHERE account_id = ${id} AND type = 'sessions_ended'`;
    expect(events).toMatchObject([{ detail: { sessions: 1, via: 'oidc' } }]);
  });

  it('a logout at the provider succeeds if there is nothing to end, but works once', async () => {
    const { user, browser } = await join();
    const token = await fixture.provider.sign({ ...validClaims(), sub: user });
    expect(await post(`a=1&logout_token=${token}`)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store, no-transform' },
      text: '',
    });
    expect(await isSignedIn(browser)).toBe(false);
    await browser.signOn(user);
    expect((await send(token)).text).toContain('(jti_used)');
    expect(await isSignedIn(browser)).toBe(true);
    for (const about of [{ sub: user, sid: 'other' }, { sub: 'unknown' }, { sid: 'unknown' }])
      expect(await send(await fixture.provider.sign({ ...validClaims(), ...about }))).toMatchObject(
        { status: 200 },
      );
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('a logout at the provider ends a session that started before its id was stored', async () => {
    const { user, browser, id } = await join();
    await fixture.server.sql`UPDATE sessions SET sid = NULL WHERE account_id = ${id}`;
    await send(await fixture.provider.sign({ ...validClaims(), sub: user, sid: 'any' }));
    expect(await isSignedIn(browser)).toBe(false);
  });

  const iat = Math.floor(Date.now() / 1_000);
  it.each([
    ['signature_invalid', { forged: true }],
    ['iss_invalid', { iss: 'https://evil.example' }],
    ['aud_invalid', { aud: 'other' }],
    ['iat_missing', { iat: undefined }],
    ['iat_invalid', { iat: iat - 3_600 }],
    ['iat_invalid', { iat: iat + 3_600 }],
    ['exp_invalid', { exp: iat - 3_600 }],
    ['events_invalid', { events: undefined }],
    ['events_invalid', { events: { [EVENT]: null } }],
    ['events_invalid', { events: { [EVENT]: [] } }],
    ['events_invalid', { events: [EVENT] }],
    ['nonce_invalid', { nonce: 'n' }],
    ['jti_missing', { jti: undefined }],
    ['sub_missing', { sub: undefined }],
    ['sub_invalid', { sub: '' }],
    ['sid_invalid', { sid: 7 }],
    ['typ_invalid', {}, { typ: 'at+jwt' }],
  ] as [string, object, Record<string, string>?][])(
    'a logout at the provider is refused as %s: %j',
    async (reason, change, header) => {
      const { forged, ...claims } = change as Record<string, unknown>;
      const { user, browser } = await join();
      let token = await fixture.provider.sign({ ...validClaims(), sub: user, ...claims }, header);
      if (forged === true) token = token.replace(/\.[^.]{10}([^.]*)$/, '.AAAAAAAAAA$1');
      const { text, ...response } = await send(token);
      expect(response).toMatchObject({
        status: 400,
        headers: { 'x-error-code': 'signOnLogoutInvalid', 'cache-control': 'no-store' },
      });
      expect(text).toContain(`(${reason})`);
      expect(await isSignedIn(browser)).toBe(true);
    },
  );

  it.each([
    ['no', undefined],
    ['an empty', ''],
    ['no readable', 'x'],
    ['too long a', 'x'.repeat(9_000)],
  ])('a logout at the provider is refused with %s token', async (_title, token) => {
    expect(await post(token === undefined ? '' : `logout_token=${token}`)).toMatchObject({
      status: 400,
    });
  });
});

describe('a provider that names no session', () => {
  const { fixture, join, isSignedIn } = useLogout({ namesSession: false });

  it('a provider that names no session ends all sessions of the user', async () => {
    const { user, browser } = await join();
    const { browser: otherDevice } = await join(user);
    await browser.endProviderSession(fixture.provider.issuer);
    expect([await isSignedIn(browser), await isSignedIn(otherDevice)]).toEqual([false, false]);
  });
});

describe('tokens that are not valid', () => {
  const { fixture, send, join, isSignedIn } = useLogout({
    limits: { requestsPerMinute: 0, refusedLogoutsPerMinute: 3 },
  });

  it('tokens that are not valid are limited, valid ones are not', async () => {
    const { user, browser } = await join();
    const signed = Array.from({ length: 250 }, () =>
      fixture.provider.sign({ ...validClaims(), sub: user }),
    );
    const responses = await Promise.all((await Promise.all(signed)).map(send));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await isSignedIn(browser)).toBe(false);
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await send('x')).status);
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
  });
});
