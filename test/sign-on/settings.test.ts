import { expect, it } from 'vitest';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { loadConfig } from '#server/platform/settings/config.ts';

const OIDC_SETTINGS = {
  OIDC_ISSUER: 'https://id.example.org/realms/main',
  OIDC_CLIENT_ID: 'nameplate',
  OIDC_CLIENT_SECRET: 'secret',
};

it('single sign-on is off by default', () => {
  expect(createSignOn(loadConfig({}))).toBeUndefined();
});

it('single sign-on is named after its host by default, and admits only listed users', () => {
  expect(createSignOn(loadConfig(OIDC_SETTINGS))).toMatchObject({
    name: 'id.example.org',
    signUpPolicy: { allowsAnyone: false, allowedGroups: [], allowedDomains: [] },
  });
  const allowed = {
    OIDC_NAME: 'Example ID',
    OIDC_ALLOWED_GROUPS: 'staff, /makers/potters',
    OIDC_ALLOWED_DOMAINS: 'Example.com',
  };
  expect(createSignOn(loadConfig({ ...OIDC_SETTINGS, ...allowed }))).toMatchObject({
    name: 'Example ID',
    signUpPolicy: {
      allowedGroups: ['staff', '/makers/potters'],
      allowedDomains: ['example.com'],
    },
  });
});

it.each(Object.keys(OIDC_SETTINGS))('single sign-on is refused without %s', (name) => {
  expect(() => loadConfig({ ...OIDC_SETTINGS, [name]: '' })).toThrow(
    `${name} is required for single sign-on`,
  );
});

it.each(['OIDC_NAME', 'OIDC_ALLOWED_GROUPS', 'OIDC_ALLOWED_DOMAINS'])(
  'single sign-on is refused with only %s',
  (name) => {
    expect(() => loadConfig({ [name]: 'example.com' })).toThrow('OIDC_ISSUER is required');
  },
);

it('single sign-on takes one group of operators', () => {
  const withGroup = (OIDC_OPERATOR_GROUP: string) =>
    createSignOn(loadConfig({ ...OIDC_SETTINGS, OIDC_OPERATOR_GROUP }));
  expect(withGroup('/makers/admins')).toMatchObject({ operatorGroup: '/makers/admins' });
  for (const groups of ['admins,board', ','])
    expect(() => withGroup(groups)).toThrow('OIDC_OPERATOR_GROUP must be one group');
});

it('single sign-on is refused with an issuer that is no https URL', () => {
  const tooLong = `https://id.example.org/${'x'.repeat(500)}`;
  for (const OIDC_ISSUER of [
    ...['id.example.org', 'http://id.example.org', 'ftp://id.example.org', tooLong],
    ...['https://u:p@id.example.org', 'https://id.example.org/?x', 'https://id.example.org/#x'],
  ])
    expect(() => loadConfig({ ...OIDC_SETTINGS, OIDC_ISSUER })).toThrow(
      'OIDC_ISSUER must be an https URL',
    );
});

it('single sign-on allows a provider on loopback without TLS', () => {
  for (const issuer of ['http://localhost:8080/realms/main', 'http://127.0.0.1:8080'])
    expect(loadConfig({ ...OIDC_SETTINGS, OIDC_ISSUER: issuer }).OIDC_ISSUER).toBe(issuer);
});

it('single sign-on does not trust the email addresses of every tenant of Entra ID', () => {
  const OIDC_TRUST_EMAIL = 'true';
  const issuer = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`;
  for (const tenant of ['common', 'organizations', 'consumers'])
    expect(() =>
      loadConfig({ ...OIDC_SETTINGS, OIDC_TRUST_EMAIL, OIDC_ISSUER: issuer(tenant) }),
    ).toThrow('OIDC_TRUST_EMAIL needs an OIDC_ISSUER with the ID of your tenant');
  const OIDC_ISSUER = issuer('72f988bf-86f1-41af-91ab-2d7cd011db47');
  expect(
    createSignOn(loadConfig({ ...OIDC_SETTINGS, OIDC_TRUST_EMAIL, OIDC_ISSUER })),
  ).toMatchObject({ signUpPolicy: { trustsEmail: true } });
});

it('single sign-on is refused with an invalid domain', () => {
  for (const domain of ['@example.com', 'example', '*.example.com', 'a b.example'])
    expect(() => loadConfig({ ...OIDC_SETTINGS, OIDC_ALLOWED_DOMAINS: domain })).toThrow(
      'OIDC_ALLOWED_DOMAINS must be domain names',
    );
});
