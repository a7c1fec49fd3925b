import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type Fonts, fontFaceRules } from './fonts.ts';
import type { PageColors, Palette, Palettes } from './palette.ts';

/** A style sheet and its CSP source (its hash). */
interface Style {
  sheet: string;
  cspSource: string;
}

export interface StyleOptions {
  colors: PageColors;
  fonts: Fonts;
  /** CSS files for the kinds of blocks on the page. */
  blocks: readonly string[];
  /** CSS files of the theme. */
  theme: readonly string[];
  /** CSS files for the owner's settings. */
  settings: readonly string[];
}

/** Cascade layers, lowest priority first. */
const LAYERS = '@layer base,blocks,theme,settings,last;';

/** Minified CSS files, by name. */
const sheetCache = new Map<string, string>();

const BASE = layer('base', readSheet('styles/base') + readSheet('styles/share'));
const LAST = layer('last', readSheet('styles/last'));

/** By style sheet, because similar pages share one. */
const cspSourceCache = new LRUCache<string, string>({ max: 500 });
const rulesCache = new WeakMap<PageColors, string>();

/** Returns a style sheet with only the rules that the page needs. */
export function styleOf({ colors, fonts, blocks, theme, settings }: StyleOptions): Style {
  const rules = rulesCache.get(colors) ?? colorRules(colors);
  rulesCache.set(colors, rules);
  const sheet = [
    LAYERS,
    rules,
    fontRules(fonts),
    BASE,
    layer('blocks', readSheets('styles/blocks', blocks)),
    layer('theme', readSheets('themes', theme)),
    layer('settings', readSheets('styles/settings', settings)),
    LAST,
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

/** Removes comments and unneeded whitespace. */
function readSheet(name: string): string {
  const sheet =
    sheetCache.get(name) ??
    readFileSync(new URL(`./${name}.css`, import.meta.url), 'utf8')
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/\s*([{};,>\n])\s*/g, '$1')
      .replace(/\n/g, '')
      .replace(/:\s+/g, ':')
      .replaceAll(';}', '}');
  sheetCache.set(name, sheet);
  return sheet;
}

/** `@font-face` rules for bundled fonts, and the variables that use them. */
function fontRules({ body, heading: head }: Fonts): string {
  return `${fontFaceRules(`${body},${head}`)}:root{--body:${fontStack(body)};--head:${fontStack(head)}}`;
}

function colorRules(colors: PageColors): string {
  if ('single' in colors) {
    const { normal, highContrast } = colors.single;
    return `:root{${colorScheme(normal)}${variables(normal)}}@media (prefers-contrast:more){:root{${variables(highContrast, normal)}}}`;
  }
  const { light, dark } = colors;
  const pick = (kind: keyof Palettes) =>
    Object.fromEntries(
      Object.entries(light[kind]).map(([name, color]) => [
        name,
        `light-dark(${color},${dark[kind][name as keyof Palette]})`,
      ]),
    ) as Record<keyof Palette, string>;
  const [normal, highContrast] = [pick('normal'), pick('highContrast')];
  return `:root{color-scheme:light dark;${variables(normal)}}@media (prefers-contrast:more){:root{${variables(highContrast, normal)}}}`;
}

/** Makes form controls and scrollbars match the page. */
function colorScheme({ bg, text }: Palette): string {
  return `color-scheme:${brightness(bg) > brightness(text) ? 'light' : 'dark'};`;
}

function brightness(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return red! * 0.299 + green! * 0.587 + blue! * 0.114;
}

/** CSS variables of a palette, or only those that differ from `from`. */
function variables(palette: Palette, from?: Palette): string {
  return Object.entries(palette)
    .filter(([name, color]) => color !== from?.[name as keyof Palette])
    .map(([name, color]) => `--${cssName(name)}:${color};`)
    .join('');
}

function cssName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const GENERIC = new Set(['serif', 'sans-serif', 'monospace', 'cursive', 'system-ui']);

/** Quotes the family names and adds fallbacks. */
function fontStack(families: string): string {
  const names = families
    .split(',')
    .map((name) => name.trim())
    // Drop names with characters that could break out of the CSS rule.
    .filter((name) => /^[A-Za-z0-9 _-]+$/.test(name))
    .map((name) => (GENERIC.has(name.toLowerCase()) ? name.toLowerCase() : `"${name}"`));
  return [...new Set([...names, 'system-ui', 'sans-serif'])].join(',');
}
