import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type Fonts, fallbackFamily, fontFaceRules, type LatinSet } from './fonts.ts';
import type { PageColors, Palette, Palettes } from './palette.ts';

/** A style sheet and its CSP source (its hash). */
interface InlineStyle {
  sheet: string;
  cspSource: string;
}

/** Names of CSS files. */
export interface DesignSheets {
  /** In `themes`. */
  theme: readonly string[];
  /** In `styles`, for the look, which changes the theme. */
  look: readonly string[];
  /** In `styles/settings`, for the owner's other settings. */
  settings: readonly string[];
}

export interface StyleOptions extends DesignSheets {
  colors: PageColors;
  fonts: Fonts;
  latinSet: LatinSet;
  /** CSS files for the kinds of blocks on the page. */
  blocks: readonly string[];
  /** Style rules for the rows of pictures and the icons on this page. */
  contentRules: string;
  /** CSS file of the design for a page that is a list of links. */
  list: readonly string[];
  /** CSS files for blocks that share rows, for a page without blocks, or for the share page. */
  tiles: readonly string[];
}

/** Cascade layers, lowest priority first. */
const LAYER_ORDER = '@layer base,blocks,theme,look,list,settings,last;';

/** Minified CSS files, by name. */
const sheetCache = new Map<string, string>();

const BASE_LAYER = layer('base', readSheet('styles/base'));
const LAST_LAYER = layer('last', readSheet('styles/last'));

/** By style sheet, because similar pages share one. */
const cspSourceCache = new LRUCache<string, string>({ max: 500 });
const colorRulesCache = new WeakMap<PageColors, string>();

/** Returns a style sheet with only the rules that the page needs. */
export function styleOf({
  colors,
  fonts,
  latinSet,
  blocks,
  contentRules,
  theme,
  look,
  list,
  settings,
  tiles,
}: StyleOptions): InlineStyle {
  const rules = colorRulesCache.get(colors) ?? colorRules(colors);
  colorRulesCache.set(colors, rules);
  const sheet = [
    LAYER_ORDER,
    rules,
    fontRules(fonts, latinSet, blocks.includes('code')),
    BASE_LAYER,
    layer('blocks', readSheets('styles/blocks', blocks) + contentRules),
    // All designs are the same on paper, except for their fonts.
    '@media screen{',
    layer('theme', readSheets('themes', theme)),
    layer('look', readSheets('styles', look)),
    layer('list', readSheets('themes/list', list)),
    layer('settings', readSheets('styles/settings', settings)),
    '}',
    layer('settings', readSheets('styles', tiles)),
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
    readFileSync(new URL(`../${name}.css`, import.meta.url), 'utf8')
      .replace(/\/\*.*?(?:\*\/|$)/gs, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([{};,>/<=~]) ?|(?<=\() | (?=\))|^ /g, '$1')
      .replace(/:\s+/g, ':')
      .replace(/(?<![\d.])0(?=\.\d)/g, '')
      .replaceAll(';}', '}');
  sheetCache.set(name, sheet);
  return sheet;
}

/** `@font-face` rules for bundled fonts, and the variables that use them. */
function fontRules(fonts: Fonts, latinSet: LatinSet, hasCode: boolean): string {
  const families = `${fonts.body},${fonts.heading}${hasCode ? ',JetBrains Mono' : ''}`;
  // By default, its figures reach below the line. The shorthand "font" resets an inherited value.
  const figures = families.includes('Playfair') ? '*{font-variant-numeric:lining-nums}' : '';
  return `${fontFaceRules(families, latinSet)}:root{${fontVariables(fonts)}}${figures}`;
}

function fontVariables({ body, heading }: Fonts): string {
  return `--body:${fontStack(body)};--head:${fontStack(heading)}`;
}

/** Rules outside of the media query for more contrast. */
const CONTRAST_RULES = /@media \(prefers-contrast:more\)\{(?:[^{}]*\{[^{}]*\})*\}/g;
const ROOT_RULE = /:root(?:,\.avatar)?\{([^{}]*)\}/g;

/** Sets the variables of a page's design for drawings of the page elsewhere. */
export function variableRules(
  selector: string,
  { colors, fonts, theme, look, settings }: DesignSheets & Pick<StyleOptions, 'colors' | 'fonts'>,
): string {
  const sheets =
    readSheets('themes', theme) +
    readSheets('styles', look) +
    readSheets('styles/settings', settings);
  const shapes = [...sheets.replace(CONTRAST_RULES, '').matchAll(ROOT_RULE)].map(
    ([, rule]) => rule,
  );
  return `${colorRules(colors, selector)}${selector}{${[...shapes, fontVariables(fonts)].join(';')}}`;
}

function colorRules(colors: PageColors, selector = ':root'): string {
  const rules = (scheme: string, normal: Palette, highContrast: Palette) =>
    `${selector}{${scheme}${variables(normal)}}@media (prefers-contrast:more){${selector}{${variables(highContrast, normal)}}}`;
  if ('single' in colors) {
    const { normal, highContrast } = colors.single;
    return rules(colorScheme(normal), normal, highContrast);
  }
  const { light, dark } = colors;
  const lightDarkColors = (kind: keyof Palettes) =>
    Object.fromEntries(
      Object.entries(light[kind]).map(([name, color]) => [
        name,
        `light-dark(${color},${dark[kind][name as keyof Palette]})`,
      ]),
    ) as Record<keyof Palette, string>;
  return rules(
    'color-scheme:light dark;',
    lightDarkColors('normal'),
    lightDarkColors('highContrast'),
  );
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
