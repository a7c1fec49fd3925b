import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type Fonts, fallbackFamily, fontFaceRules } from './fonts.ts';
import type { PageColors, Palette, Palettes } from './palette.ts';

/** A style sheet and its CSP source (its hash). */
interface Style {
  sheet: string;
  cspSource: string;
}

export interface StyleOptions {
  colors: PageColors;
  fonts: Fonts;
  /** Whether the page has letters that the Latin font files lack. */
  hasExtendedLatin: boolean;
  /** CSS files for the kinds of blocks on the page. */
  blocks: readonly string[];
  /** Style rules for the rows of pictures on this page. */
  pictureRowRules: string;
  /** CSS files of the theme. */
  theme: readonly string[];
  /** CSS files in `styles` for the look, which changes the theme. */
  look: readonly string[];
  /** CSS file of the design for a page that is a list of links. */
  list: readonly string[];
  /** CSS files for the owner's other settings. */
  settings: readonly string[];
  /** CSS files for blocks that share rows, or for a page without blocks. */
  tiles: readonly string[];
}

/** Cascade layers, lowest priority first. */
const LAYER_ORDER = '@layer base,blocks,theme,look,list,settings,last;';

/** Minified CSS files, by name. */
const sheetCache = new Map<string, string>();

const BASE_LAYER = layer('base', readSheet('styles/base') + readSheet('styles/share'));
const LAST_LAYER = layer('last', readSheet('styles/last'));

/** By style sheet, because similar pages share one. */
const cspSourceCache = new LRUCache<string, string>({ max: 500 });
const colorRulesCache = new WeakMap<PageColors, string>();

/** Returns a style sheet with only the rules that the page needs. */
export function styleOf({
  colors,
  fonts,
  hasExtendedLatin,
  blocks,
  pictureRowRules,
  theme,
  look,
  list,
  settings,
  tiles,
}: StyleOptions): Style {
  const rules = colorRulesCache.get(colors) ?? colorRules(colors);
  colorRulesCache.set(colors, rules);
  const sheet = [
    LAYER_ORDER,
    rules,
    fontRules(fonts, hasExtendedLatin),
    BASE_LAYER,
    layer('blocks', readSheets('styles/blocks', blocks) + pictureRowRules),
    layer('theme', readSheets('themes', theme)),
    layer('look', readSheets('styles', look)),
    layer('list', readSheets('themes/list', list)),
    layer('settings', readSheets('styles/settings', settings) + readSheets('styles', tiles)),
    LAST_LAYER,
  ].join('');
  const cspSource = cspSourceCache.get(sheet) ?? `'sha256-${hash('sha256', sheet, 'base64')}'`;
  cspSourceCache.set(sheet, cspSource);
  return { sheet, cspSource };
}

function layer(name: string, rules: string): string {
  return rules && `@layer ${name}{${rules}}`;
}

function readSheets(folder: string, names: readonly string[]): string {
  return names.map((name) => readSheet(`${folder}/${name}`)).join('');
}

/** Removes comments, unneeded whitespace and zeros before decimal points. */
function readSheet(name: string): string {
  const sheet =
    sheetCache.get(name) ??
    readFileSync(new URL(`./${name}.css`, import.meta.url), 'utf8')
      .replace(/\/\*.*?(?:\*\/|$)/gs, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,>]) ?|(?<=\() | (?=\))|^ /g, '$1')
      .replace(/:\s+/g, ':')
      .replace(/(?<![\d.])0(?=\.\d)/g, '')
      .replaceAll(';}', '}');
  sheetCache.set(name, sheet);
  return sheet;
}

/** `@font-face` rules for bundled fonts, and the variables that use them. */
function fontRules({ body, heading }: Fonts, hasExtendedLatin: boolean): string {
  return `${fontFaceRules(`${body},${heading}`, hasExtendedLatin)}:root{--body:${fontStack(body)};--head:${fontStack(heading)}}`;
}

function colorRules(colors: PageColors): string {
  if ('single' in colors) {
    const { normal, highContrast } = colors.single;
    return `:root{${colorScheme(normal)}${variables(normal)}}@media (prefers-contrast:more){:root{${variables(highContrast, normal)}}}`;
  }
  const { light, dark } = colors;
  const lightDarkColors = (kind: keyof Palettes) =>
    Object.fromEntries(
      Object.entries(light[kind]).map(([name, color]) => [
        name,
        `light-dark(${color},${dark[kind][name as keyof Palette]})`,
      ]),
    ) as Record<keyof Palette, string>;
  const [normal, highContrast] = [lightDarkColors('normal'), lightDarkColors('highContrast')];
  return `:root{color-scheme:light dark;${variables(normal)}}@media (prefers-contrast:more){:root{${variables(highContrast, normal)}}}`;
}

/** Makes form controls and scrollbars match the page. */
function colorScheme({ bg, text }: Palette): string {
  return `color-scheme:${brightness(bg) > brightness(text) ? 'light' : 'dark'};`;
}

function brightness(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) =>
    Number.parseInt(color.slice(start, start + 2), 16),
  );
  return red! * 0.299 + green! * 0.587 + blue! * 0.114;
}

/** CSS variables of a palette, or only those that differ from `basePalette`. */
function variables(palette: Palette, basePalette?: Palette): string {
  return Object.entries(palette)
    .filter(([name, color]) => color !== basePalette?.[name as keyof Palette])
    .map(([name, color]) => `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}:${color};`)
    .join('');
}

const GENERIC_FAMILIES = new Set(['serif', 'sans-serif', 'monospace', 'cursive', 'system-ui']);

/** Quotes the family names and adds fallbacks. */
function fontStack(familyList: string): string {
  const names = familyList
    .split(',')
    .map((name) => name.trim())
    // Drop names with characters that could break out of the CSS rule.
    .filter((name) => /^[A-Za-z0-9 _-]+$/.test(name))
    .flatMap((name) => [name, fallbackFamily(name) ?? name])
    .map((name) => (GENERIC_FAMILIES.has(name.toLowerCase()) ? name.toLowerCase() : `"${name}"`));
  return [...new Set([...names, 'system-ui', 'sans-serif'])].join(',');
}
