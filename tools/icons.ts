import { readFileSync } from 'node:fs';
import lucide from '@iconify-json/lucide/icons.json' with { type: 'json' };
import * as simpleIcons from 'simple-icons';
import {
  type BrandIcon,
  BRAND_ICONS,
  type GenericIcon,
  GENERIC_ICONS,
} from '#contract/shared/icons.ts';
import { writeGenerated } from './generated-file.ts';

const FILE = new URL('../page/icons/drawings.json', import.meta.url);

/** Letters for brands that do not allow their logo to be published. */
const LETTER_LOGOS: Readonly<Partial<Record<BrandIcon, string>>> = { linkedin: 'in' };
/** The logo is made of these shapes, and its path is six times as long. */
const SHAPE_LOGOS: Readonly<Partial<Record<BrandIcon, string>>> = {
  instagram:
    '<g fill="none" stroke="currentColor" stroke-width="2.2"><rect width="21.8" height="21.8" x="1.1" y="1.1" rx="6"/><circle cx="12" cy="12" r="5.1"/></g><circle cx="18.4" cy="5.6" r="1.4"/>',
};
/** Generic icons for brands whose word mark would be a dash, less than 8 of 24 units high. */
const GENERIC_FORMS: Readonly<Partial<Record<BrandIcon, GenericIcon>>> = {
  '500px': 'camera',
  caldotcom: 'calendar',
  fiverr: 'briefcase',
  mixcloud: 'headphones',
  venmo: 'banknote',
  zoom: 'video',
};
const LETTER_COLORS: Readonly<Partial<Record<BrandIcon, string>>> = { linkedin: '#0A66C2' };

const BRAND_COLORS = new Map(
  Object.values(simpleIcons).flatMap((icon) =>
    'hex' in icon ? [[icon.slug, icon.hex] as const] : [],
  ),
);

const drawings = {
  licenses: {
    brands: 'Simple Icons, CC0 1.0',
    generic: 'Lucide, ISC License, Copyright (c) Lucide Icons and Contributors',
  },
  brands: renderIcons(
    BRAND_ICONS,
    (name) =>
      SHAPE_LOGOS[name] ??
      renderLetters(LETTER_LOGOS[name]) ??
      renderStrokes(GENERIC_FORMS[name]) ??
      renderBrandIcon(name),
  ),
  generic: renderIcons(GENERIC_ICONS, renderGenericIcon),
  colors: renderIcons(BRAND_ICONS, brandColor),
};

function renderIcons<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  renderIcon: (name: Name) => string,
): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(labels) as Name[]).map((name) => [name, renderIcon(name)]),
  );
}

function renderBrandIcon(name: BrandIcon): string {
  const file = import.meta.resolve(`simple-icons/icons/${name}.svg`);
  return extractShapes(readFileSync(new URL(file), 'utf8'));
}

function brandColor(name: BrandIcon): string {
  return LETTER_COLORS[name] ?? `#${BRAND_COLORS.get(name)}`;
}

/** Removes strokes and fills, which the style sheet sets. */
function renderGenericIcon(name: keyof typeof GENERIC_ICONS): string {
  const { body } = lucide.icons[name];
  return extractShapes(body.replace(/<\/?g[^>]*>| fill="none"| stroke(?:-[a-z]+)?="[^"]*"/g, ''));
}

/** With its own strokes, because brand icons are filled. */
function renderStrokes(name: GenericIcon | undefined): string | undefined {
  return (
    name &&
    `<g fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${renderGenericIcon(name)}</g>`
  );
}

function renderLetters(text: string | undefined): string | undefined {
  return (
    text &&
    `<text x="12" y="19" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle">${text}</text>`
  );
}

function extractShapes(svg: string): string {
  const shapes = /<(?:path|rect|circle|ellipse|line|polyline|polygon)\b[^]*>/.exec(svg)?.[0];
  if (shapes === undefined) throw new Error(`An icon has no path: ${svg}`);
  return roundDecimals(shapes.replace(/<\/svg>\s*$/, ''));
}

/** More than two decimal places make no visible difference, but are a third of the file. */
function roundDecimals(svg: string): string {
  // Never carry into the digits before the point: in SVG arcs they can include a flag (`01.5` is 0,
  // 1, .5).
  return svg.replace(/\.(\d{3,})/g, (_decimals, digits: string) => {
    const hundredths = Math.min(99, Math.round(Number(`0.${digits}`) * 100));
    return `.${String(hundredths).padStart(2, '0').replace(/0$/, '')}`;
  });
}

writeGenerated(FILE, `${JSON.stringify(drawings, null, 2)}\n`);
