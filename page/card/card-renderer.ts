import { readFileSync } from 'node:fs';
import { Renderer } from '@takumi-rs/wasm/node';
import { type FontFace, fontFacesOf } from '../font-files.ts';
import type { Card } from './card.ts';
import { CARD_SIZE, layoutOf } from './layout.ts';

/** Typefaces for all scripts that can be drawn, in the order in which they are asked. */
const COMMON_TYPEFACES = ['inter', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-emoji'];
/** Typefaces for Chinese, Japanese and Korean; the first draws the characters that they share. */
const CHINESE_FIRST = ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'];
const JAPANESE_FIRST = ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr'];
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The family that comes first when characters are measured: what no font has gets its placeholder. */
const PLACEHOLDER = 'placeholder';
/** Characters that no font of ours has: one for itself, and one that combines with others. */
const UNSUPPORTED_CHARACTERS = ['\u{10ffff}', '\u0338'];

/** Characters that are drawn as a part of others, or change them. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\s]/u;

/** Draws cards. A character that no font has is left out. */
export class CardRenderer {
  readonly #renderer = new Renderer();
  readonly #loadedFiles = new Set<string>();

  constructor() {
    // No letter of another font is as large as the placeholder of this one.
    const [{ file }] = fontFacesOf('noto-emoji') as [FontFace];
    const unicodeRange: [number, number][] = [[0xe000, 0xe000]];
    this.#renderer.registerFont({ name: PLACEHOLDER, data: readFileSync(file), unicodeRange });
  }

  async render(card: Card): Promise<Uint8Array> {
    const own = card.typeface ? [card.typeface] : [];
    const typefaces = [...new Set([...own, ...COMMON_TYPEFACES, ...eastAsianTypefaces(card)])];
    const known = await this.#findSupported(card, typefaces);
    const shown = (text: string) => keepSupported(text, known);
    const drawn = {
      ...card,
      title: shown(card.title) || card.name,
      bio: shown(card.bio),
      mood: shown(card.mood),
    };
    return this.#renderer.render(layoutOf(drawn, typefaces.join(', ')), {
      ...CARD_SIZE,
      format: 'png',
    });
  }

  /** The characters of a card that its fonts have. */
  async #findSupported(card: Card, typefaces: string[]): Promise<Set<string>> {
    const { title, bio, mood } = card;
    const upper = title.toUpperCase();
    const texts = [card.name, card.address, title, upper, bio, mood, '…'];
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

  /** Loads those parts of a typeface that are for some characters. */
  #loadTypeface(typeface: string, characters: readonly string[]): void {
    for (const face of fontFacesOf(typeface)) {
      const unicodeRange = parseUnicodeRange(face);
      const isNeeded = characters.some((character) => {
        const code = character.codePointAt(0)!;
        return unicodeRange.some(([from, to]) => from <= code && code <= to);
      });
      if (!isNeeded || this.#loadedFiles.has(face.file)) continue;
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

/** The typefaces that East Asian texts need; none for others. */
function eastAsianTypefaces({ title, bio, mood }: Card): string[] {
  const text = title + bio + mood;
  if (!EAST_ASIAN.test(text)) return [];
  return KANA.test(text) ? JAPANESE_FIRST : CHINESE_FIRST;
}

/** A text without the characters that are not known; nothing if too little of it would be left to be read. */
function keepSupported(text: string, known: ReadonlySet<string>): string {
  const characters = [...text];
  const isShown = (character: string) => known.has(character) || INVISIBLE.test(character);
  const letters = characters.filter((character) => /\p{L}|\p{N}/u.test(character));
  if (letters.length > 2 * letters.filter(isShown).length) return '';
  if (!characters.some((character) => known.has(character))) return '';
  const shown = characters.filter(isShown).join('').replace(/\s+/g, ' ').trim();
  // Punctuation that followed a part that is left out.
  return shown === text ? shown : shown.replace(/^[\s,.;:!?]+/, '');
}

function parseUnicodeRange({ unicodeRange: range }: FontFace): [number, number][] {
  return range.split(',').map((part) => {
    const [from = '', to = from] = part.trim().slice(2).split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
}
