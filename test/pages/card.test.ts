import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { type Card, cardOf } from '#page/card/card.ts';
import type { PublicSite } from '#page/public-site.ts';
import { drawCard } from '#server/entry/pages/site/draw-card.ts';
import { addPicture } from '../support/pictures.ts';
import { createPage, publishPage } from '../support/publish-page.ts';
import { anyCharacter } from '../support/text-arbitraries.ts';
import { useServer } from '../support/use-server.ts';
import { block, EMPTY_SITE, pageSettings, RENDER_CONTEXT } from './support/site.ts';

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

const drawSiteCard = (site: Partial<PublicSite>) =>
  drawCard(cardOf({ ...EMPTY_SITE, ...site }, RENDER_CONTEXT));

/** Width and height in the PNG header. */
function pngSize(png: Buffer): [number, number] {
  expect(png.subarray(0, 8)).toEqual(PNG_SIGNATURE);
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

it('the card of a site is a 1200 by 630 picture that depends only on the site', async () => {
  const jane = await drawSiteCard({ display_name: 'Jane Doe', bio: 'Potter' });
  expect(pngSize(jane)).toEqual([1200, 630]);
  expect(await drawSiteCard({ display_name: 'Jane Doe', bio: 'Potter' })).toEqual(jane);
  const otherSites = [
    { display_name: 'Jane Roe', bio: 'Potter' },
    { display_name: 'Jane Doe', bio: 'Sailor' },
    { display_name: 'Jane Doe', bio: 'Potter', mood: 'busy' },
    { display_name: 'Jane Doe', bio: 'Potter', mood: '🦊' },
    { display_name: 'Jane Doe', bio: 'Potter', custom_theme: { background_color: '#102030' } },
    { display_name: 'Jane Doe', bio: 'Potter', custom_theme: { font_family: 'Lora' } },
  ];
  const images = await Promise.all(otherSites.map(drawSiteCard));
  expect(new Set([jane, ...images].map((png) => png.toString('base64'))).size).toBe(7);
});

it('the card of a site leaves out unsupported characters and blocks, and shows the name if no title is left', async () => {
  for (const [site, equivalent] of [
    [{ display_name: 'ཀ Jane Doe' }, { display_name: 'Jane Doe' }],
    [{ display_name: 'Jane \u{10ffff}⁂‽Doe\u0338' }, { display_name: 'Jane Doe' }],
    [{ display_name: 'ཀཁག', bio: 'ཀཁག ཀཁག' }, {}],
    [
      { display_name: 'Jane', bio: 'ཀཁ! Potter' },
      { display_name: 'Jane', bio: 'Potter' },
    ],
    [{ display_name: 'Jane', mood: 'ཀཁ' }, { display_name: 'Jane' }],
    [{ display_name: '\u200d\ufe0f\u202e' }, {}],
    [{ blocks: [block('text', { content: 'hello' })] }, {}],
  ] satisfies [Partial<PublicSite>, Partial<PublicSite>][])
    expect(
      (await drawSiteCard(site)).equals(await drawSiteCard(equivalent)),
      JSON.stringify(site),
    ).toBe(true);
});

it('the card of a site renders every script and emoji', async () => {
  const texts = [
    ...['جين دو', 'שלום עולם', 'Привет', 'Ελλάδα', 'Đặng', '🦊🏳️‍🌈', '🇵🇹', '1️⃣'],
    ...['李明', '李明 さん', '김미래', '王小明', 'カード', '臺灣'],
    ...['नमस्ते दुनिया', 'বাংলা', 'ภาษาไทย'],
  ];
  const images = await Promise.all(
    [{}, ...texts.map((title) => ({ display_name: title }))].map(drawSiteCard),
  );
  expect(new Set(images.map((png) => png.toString('base64'))).size).toBe(texts.length + 1);
});

it('the card of a site is rendered for any stored data', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 100 }),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
    fc.constantFrom('x'.repeat(5_000), 'ﷺ'.repeat(500), 'a' + '\u0301'.repeat(999), '\u202e'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        display_name: fc.option(text),
        bio: fc.option(text),
        mood: fc.option(text),
        custom_theme: fc.constantFrom(null, { font_family: 'Lora, Caveat' }),
      }),
      async (site) => {
        expect(pngSize(await drawSiteCard(site))).toEqual([1200, 630]);
      },
    ),
    { numRuns: 40 },
  );
});

describe('the avatar on a card', () => {
  const { server, account } = useServer({ account: true });

  const dominantColor = async (card: Buffer, left: number, top: number, size: number) => {
    const part = sharp(card).extract({ left, top, width: size, height: size });
    return (await sharp(await part.toBuffer()).stats()).dominant;
  };
  const avatarColor = async (name: string) =>
    dominantColor((await server.app.inject(`/@${name}/card.png`)).rawPayload, 900, 260, 80);

  it('the avatar on a card is the uploaded picture', async () => {
    const { url } = await addPicture(server, account, { color: '#00ff00' });
    await publishPage(account, 'jane-doe', { avatar_url: url });
    const { r, g, b } = await avatarColor('jane-doe');
    expect([r < 60, g > 200, b < 60]).toEqual([true, true, true]);
  });

  it('the avatar on a card is not loaded from a hidden account', async () => {
    const hidden = await server.createAccount();
    const { url } = await addPicture(server, hidden, { color: '#00ff00' });
    await createPage(server, { avatar_url: url }, 'curious');
    const { r, g, b } = await avatarColor('curious');
    expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(40);
  });

  it('the avatar on a card is square if it is square on the page', async () => {
    const picture = { create: { width: 9, height: 9, channels: 3, background: '#0f0' } } as const;
    const avatar = await sharp(picture).png().toBuffer();
    const cornerColor = async (site: Partial<PublicSite>) => {
      const card = cardOf({ ...EMPTY_SITE, ...site }, RENDER_CONTEXT, { avatar });
      const dominant = await dominantColor(await drawCard(card), 776, 132, 8);
      return dominant.g > 200 && dominant.r < 60 ? 'green' : 'other';
    };
    const themeId = THEMES.find(({ name }) => name === 'Paper')!.id;
    const settings = pageSettings({ avatar: 'square' });
    expect(await cornerColor({})).toBe('other');
    expect(await cornerColor({ settings })).toBe('green');
    expect(await cornerColor({ theme_id: themeId })).toBe('green');
    const circle = pageSettings({ avatar: 'circle' });
    expect(await cornerColor({ theme_id: themeId, settings: circle })).toBe('other');
  });
});

const cardNamed = (name: string): Card => cardOf({ ...EMPTY_SITE, name }, RENDER_CONTEXT);

it('rendering cards alternates between sites, so many cards of one site do not delay others', async () => {
  const finished: string[] = [];
  const drawAndRecord = (name: string) => drawCard(cardNamed(name)).then(() => finished.push(name));
  await Promise.all([
    ...Array.from({ length: 8 }, () => drawAndRecord('many')),
    drawAndRecord('one'),
  ]);
  expect(finished.indexOf('one')).toBeLessThan(3);
});

it('rendering cards recovers after a failure', async () => {
  const invalid = { ...cardNamed('broken'), title: 1 as unknown as string };
  await expect(drawCard(invalid)).rejects.toThrow();
  expect(pngSize(await drawCard(cardNamed('whole')))).toEqual([1200, 630]);
});
