import { describe, expect, it } from 'vitest';
import { blockDefinition, BLOCKS } from '#contract/shared/blocks.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { mapSiteTexts } from '#contract/shared/site-fields.ts';
import { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { THEMES } from '#contract/themes.ts';
import { placeDates } from '#dashboard/screens/page/place-dates.ts';
import { withServiceTitle, withTemplate } from '#dashboard/screens/page/prefill.ts';
import type { Block, Site } from '#dashboard/screens/page/site.ts';
import { TEMPLATES as UNDATED } from '#dashboard/screens/page/templates.ts';
import { blockError, pictureError } from '#dashboard/screens/page/validation.ts';

const NOW = new Date('2026-03-28T12:00:00Z');
const TEMPLATES = UNDATED.map((template) => placeDates(template, NOW));
const EMPTY_SITE: Site = {
  ...mapSiteTexts(() => null),
  avatar_url: null,
  custom_theme: null,
  theme_id: null,
  settings: null,
  blocks: [],
};
const settings = { id: 'p', position: 0, fields: { lang: 'pt', corners: 'pill' } };
const link = { id: 'a', type: 'link', enabled: true, url: 'https://a.example' } as Block;

describe.each(TEMPLATES)('the template $name', (template) => {
  const site = withTemplate(EMPTY_SITE, template, THEMES);

  it(`the template ${template.name} is valid and complete`, () => {
    expect(UpdateSiteConfigurationRequest.safeParse(site).error).toBeUndefined();
    expect(pictureError(site)).toBeUndefined();
    expect(site.blocks.map(blockError).filter(Boolean)).toEqual([]);
  });

  it(`the template ${template.name} has all required fields, and no unknown fields`, () => {
    for (const { type, ...fields } of template.blocks) {
      const fieldDefinitions = blockDefinition(type)!.fields;
      expect(Object.keys(fieldDefinitions)).toEqual(expect.arrayContaining(Object.keys(fields)));
      for (const [name, { required, itemFields }] of Object.entries(fieldDefinitions)) {
        if (required) expect(fields, type).toHaveProperty(name);
        if (itemFields)
          for (const item of (fields[name] ?? []) as object[])
            expect(Object.keys(itemFields)).toEqual(expect.arrayContaining(Object.keys(item)));
      }
    }
  });

  it(`the template ${template.name} links only to example domains`, () => {
    const text = JSON.stringify(template);
    for (const [, host] of text.matchAll(/https?:\/\/([^/")]+)/g)) expect(host).toBe('example.com');
    for (const [, host] of text.matchAll(/@([\w.]+\w)/g)) expect(host).toBe('example.com');
  });

  it(`the template ${template.name} has only dates in the next 70 days`, () => {
    for (const now of [NOW, new Date('2026-10-24T23:30:00Z'), new Date('2028-02-29T00:00:00Z')]) {
      const { blocks } = placeDates(
        UNDATED.find(({ id }) => id === template.id)!,
        now,
      );
      for (const { starts_at, ends_at } of blocks) {
        if (starts_at === undefined) continue;
        const startTime = Date.parse(String(starts_at));
        expect(startTime).toBeGreaterThan(now.getTime() + 7 * DAY_MS);
        expect(startTime).toBeLessThan(now.getTime() + 70 * DAY_MS);
        if (ends_at !== undefined) expect(Date.parse(String(ends_at))).toBeGreaterThan(startTime);
      }
    }
  });
});

it('the templates differ in design and text', () => {
  expect(TEMPLATES).toHaveLength(6);
  for (const values of [TEMPLATES.map(({ id }) => id), TEMPLATES.map(({ site }) => site.bio)])
    expect(new Set(values).size).toBe(6);
  expect(new Set(TEMPLATES.map(({ theme }) => theme)).size).toBe(4);
  const kinds = new Set(TEMPLATES.flatMap(({ blocks }) => blocks.map(({ type }) => type)));
  expect(Object.keys(BLOCKS)).toEqual(expect.arrayContaining([...kinds]));
});

it('a template replaces blocks, theme and design, and keeps the owner’s profile', () => {
  const template = TEMPLATES.find(({ theme }) => theme === 'Midnight');
  const ownerSite = {
    ...EMPTY_SITE,
    display_name: 'Jane',
    theme_id: 'x',
    settings,
    blocks: [link],
  };
  const { blocks, ...site } = withTemplate(ownerSite, template!, THEMES);
  expect(site).toMatchObject({
    display_name: 'Jane',
    bio: template!.site.bio,
    theme_id: THEMES.find(({ name }) => name === 'Midnight')!.id,
    settings: { ...settings, fields: { lang: 'pt' } },
  });
  expect(blocks.map(({ type }) => type)).toEqual(template!.blocks.map(({ type }) => type));
  expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length);
});

it('a template sets the language of its texts, unless the page has one', () => {
  const languageAfter = (site: Site, language?: 'de') =>
    withTemplate(site, TEMPLATES[0]!, THEMES, language).settings?.fields['lang'];
  expect(languageAfter(EMPTY_SITE)).toBeUndefined();
  expect(languageAfter(EMPTY_SITE, 'de')).toBe('de');
  expect(languageAfter({ ...EMPTY_SITE, settings }, 'de')).toBe('pt');
});

const titleFor = (title: string | undefined, oldUrl: string, url: string) =>
  withServiceTitle({ ...link, url: oldUrl, ...(title !== undefined && { title }) }, { url });

it('an address of a known service is the title of a link without one, also before it has a scheme', () => {
  expect(titleFor(undefined, '', 'instagram.com')).toEqual({
    url: 'instagram.com',
    title: 'Instagram',
  });
  expect(titleFor(undefined, '', 'example.com')).toEqual({ url: 'example.com' });
  expect(titleFor(undefined, '', 'https://')).toEqual({ url: 'https://' });
});

it('an address of a known service follows the address, unless the owner wrote a title', () => {
  const [old, url] = ['instagram.com/a', 'https://github.com/a'];
  expect(titleFor('Instagram', old, url)).toEqual({ url, title: 'GitHub' });
  expect(titleFor('Instagram', old, 'a.example')).toEqual({
    url: 'a.example',
    title: undefined,
  });
  expect(titleFor('My photos', old, url)).toEqual({ url });
  expect(withServiceTitle({ ...link, label: 'My photos' }, { url })).toEqual({ url });
});
