import { expect, it } from 'vitest';
import { loadConfig } from '#server/platform/settings/config.ts';

it('open registration needs a mail server, and is off by default', () => {
  expect(loadConfig({}).REGISTRATION).toBe('invite');
  expect(() => loadConfig({ REGISTRATION: 'open' })).toThrow(
    'SMTP_URL is needed when REGISTRATION is open, for the mails that confirm addresses',
  );
  const settings = { SMTP_URL: 'smtp://localhost', PUBLIC_URL: 'https://names.example.org' };
  const config = loadConfig({
    ...settings,
    REGISTRATION: 'open',
    REGISTRATION_REFUSED_DOMAINS: 'Throwaway.com, other.net',
  });
  expect(config).toMatchObject({
    REGISTRATION: 'open',
    REGISTRATION_REFUSED_DOMAINS: ['throwaway.com', 'other.net'],
    REGISTRATIONS_PER_DAY: 20,
  });
});

it('open registration needs the landing page, so HOME_URL must not be set', () => {
  const HOME_URL = 'https://www.example.org/';
  const openSettings = {
    REGISTRATION: 'open',
    SMTP_URL: 'smtp://localhost',
    PUBLIC_URL: 'https://names.example.org',
  };
  expect(() => loadConfig({ ...openSettings, HOME_URL })).toThrow(
    'HOME_URL cannot be set when REGISTRATION is open: names are claimed on the landing page at /.',
  );
  expect(loadConfig({ ...openSettings, HOME_URL: ' ' }).HOME_URL).toBeUndefined();
  for (const REGISTRATION of ['invite', 'closed'])
    expect(loadConfig({ REGISTRATION, HOME_URL }).HOME_URL).toBe(HOME_URL);
});
