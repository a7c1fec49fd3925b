import { readFileSync } from 'node:fs';
import { Renderer } from '@takumi-rs/wasm/node';
import { type FontFace, fontFacesOf } from '../design/font-files.ts';
import type { Card } from './card.ts';
import { CARD_SIZE, layoutOf } from './layout.ts';

/** In fallback order. */
const COMMON_TYPEFACES = [
  'inter',
  ...['arabic', 'hebrew', 'devanagari', 'bengali', 'thai'].map((script) => `noto-sans-${script}`),
  'noto-emoji',
];
/** The first font draws the Han characters that these languages share. */
const CHINESE_FIRST = ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'];
const JAPANESE_FIRST = ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr'];
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** First family when measuring, so that unsupported characters get its placeholder glyph. */
const PLACEHOLDER = 'placeholder';
/** Characters that no bundled font supports: a base character and a combining one. */
const UNSUPPORTED_CHARACTERS = ['\u{10ffff}', '\u0338'];

/** Whitespace, and characters that only modify others. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\s]/u;

/** Leaves out characters that no font supports. */
export class CardRenderer {
  readonly #renderer = new Renderer();
  readonly #loadedFiles = new Set<string>();

  constructor() {
    // No glyph of another font is as large as the placeholder glyph of this font.
    const [{ file }] = fontFacesOf('noto-emoji') as [FontFace];
    const unicodeRange: [number, number][] = [[0xe000, 0xe000]];
    this.#renderer.registerFont({ name: PLACEHOLDER, data: readFileSync(file), unicodeRange });
  }

  async render(card: Card): Promise<Uint8Array> {
    const headingTypeface = card.headingFontKey ? [card.headingFontKey] : [];
    const typefaces = [
      ...new Set([...headingTypeface, ...COMMON_TYPEFACES, ...eastAsianTypefaces(card)]),
    ];
    const supportedCharacters = await this.#findSupported(card, typefaces);
    const filterText = (text: string) => removeUnsupported(text, supportedCharacters);
    const drawableCard = {
      ...card,
      title: filterText(card.title) || card.name,
      bio: filterText(card.bio),
      mood: filterText(card.mood),
      instance: filterText(card.instance ?? ''),
    };
    return this.#renderer.render(layoutOf(drawableCard, typefaces.join(', ')), {
      ...CARD_SIZE,
      format: 'png',
    });
  }

  /** Finds the supported characters: those that differ in size from the placeholder. */
  async #findSupported(card: Card, typefaces: string[]): Promise<Set<string>> {
    const { title, bio, mood, instance = '' } = card;
    const upperTitle = title.toUpperCase();
    const texts = [card.name, card.address, title, upperTitle, bio, mood, instance, '…'];
    const characters = [...new Set(texts.join(''))].filter(
      (character) => !INVISIBLE.test(character),
    );
    for (const typeface of typefaces) this.#loadTypeface(typeface, characters);
    const fontFamily = [PLACEHOLDER, ...typefaces].join(', ');
    const { children } = await this.#renderer.measure({
      type: 'container',
      style: { display: 'flex', flexDirection: 'column', fontFamily, fontSize: 100 },
      children: [...UNSUPPORTED_CHARACTERS, ...characters].map((text) => ({ type: 'text', text })),
    });
    const sizes = children.map(({ runs }) =>
      runs.map(({ width, height }) => `${width} ${height}`).join(),
    );
    const placeholders = new Set(sizes.splice(0, UNSUPPORTED_CHARACTERS.length));
    return new Set(characters.filter((_, index) => !placeholders.has(sizes[index]!)));
  }

  /** Loads only the subsets that contain these characters. */
  #loadTypeface(typeface: string, characters: readonly string[]): void {
    for (const face of fontFacesOf(typeface)) {
      const unicodeRange = parseUnicodeRange(face);
      const isUsed = characters.some((character) => {
        const code = character.codePointAt(0)!;
        return unicodeRange.some(([from, to]) => from <= code && code <= to);
      });
      if (!isUsed || this.#loadedFiles.has(face.file)) continue;
      this.#loadedFiles.add(face.file);
      this.#renderer.registerFont({
        name: typeface,
        data: readFileSync(face.file),
        unicodeRange,
        ...(typeface === 'noto-emoji' && { generic: 'emoji' }),
      });
    }
  }
}

function eastAsianTypefaces({ title, bio, mood }: Card): string[] {
  const text = title + bio + mood;
  if (!EAST_ASIAN.test(text)) return [];
  return KANA.test(text) ? JAPANESE_FIRST : CHINESE_FIRST;
}

/** Removes unsupported characters. If most letters and digits are unsupported, returns ''. */
function removeUnsupported(text: string, supportedCharacters: ReadonlySet<string>): string {
  const characters = [...text];
  const isSupported = (character: string) =>
    supportedCharacters.has(character) || INVISIBLE.test(character);
  const letters = characters.filter((character) => /\p{L}|\p{N}/u.test(character));
  if (letters.length > 2 * letters.filter(isSupported).length) return '';
  if (!characters.some((character) => supportedCharacters.has(character))) return '';
  const supportedText = characters.filter(isSupported).join('').replace(/\s+/g, ' ').trim();
  // Remove leading punctuation that followed a removed part.
  return supportedText === text ? supportedText : supportedText.replace(/^[\s,.;:!?]+/, '');
}

function parseUnicodeRange({ unicodeRange: range }: FontFace): [number, number][] {
  return range.split(',').map((part) => {
    const [from = '', to = from] = part.trim().slice(2).split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
}
