import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { otherKind, type UpdateSiteConfigurationRequest } from '#client/index.ts';
import { mapSiteTexts, SITE_FIELDS } from '#contract/shared/site-fields.ts';
import { THEMES } from '#contract/themes.ts';
import { statusAndBody } from '#test/support/status-and-body.ts';
import type { TestAccount } from '#test/support/test-app.ts';

export const EMPTY_SITE = {
  ...Object.fromEntries(SITE_FIELDS.map((field) => [field, null])),
  themes: null,
};
export const TEXT_BLOCK = {
  id: randomUUID(),
  type: 'text',
  enabled: true,
  content: 'Hello!',
} as const;
export const LINK_BLOCK = {
  id: randomUUID(),
  type: otherKind('link'),
  enabled: false,
  url: 'mailto:jane@example.com',
  label: 'Mail',
};
export const POLL_BLOCK = {
  id: randomUUID(),
  type: otherKind('poll'),
  enabled: true,
  answers: [{ text: 'x', n: 1.5 }, null],
  a: { b: [] },
};
export const FULL_SITE = {
  ...mapSiteTexts(({ example }) => example),
  bio: 'Potter in Lisbon.\nAnd 🦉.',
  avatar_url: 'https://example.com/a.png',
  theme_id: THEMES[2].id,
  custom_theme: { background_color: '#101418', font_family: 'Open Sans' },
  blocks: [TEXT_BLOCK, LINK_BLOCK, POLL_BLOCK],
} satisfies Required<UpdateSiteConfigurationRequest>;

export function readSite({ client }: TestAccount) {
  return client.site.getSiteConfiguration();
}

export function updateSite({ client }: TestAccount, request: unknown) {
  return statusAndBody(
    client.site.updateSiteConfiguration(request as UpdateSiteConfigurationRequest),
  );
}

export const SUCCESS = { status: 200, body: { success: true } };
export const BAD_REQUEST = { status: 400, body: { error: expect.any(String) } };
