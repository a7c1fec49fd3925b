import { BRAND_ICONS, type BrandIcon, type IconName } from '#contract/shared/icons.ts';
import { type Html, trustedHtml } from '../html/html.ts';
import drawings from './drawings.json' with { type: 'json' };

const ICON_PATHS: Readonly<Record<IconName, string>> = { ...drawings.brands, ...drawings.generic };

/** SVG content for a 24×24 view box. */
export function iconPaths(name: IconName): string {
  return ICON_PATHS[name];
}

/** Hidden from screen readers, so use it next to text. */
export function renderIcon(name: IconName, className?: string): Html {
  return trustedHtml(
    `<svg class="${iconClasses(name, className)}" viewBox="0 0 24 24" aria-hidden="true">${iconPaths(name)}</svg>`,
  );
}

/** Brand icons are filled, others are stroked. */
export function iconClasses(name: IconName, className?: string): string {
  return ['i', isBrandIcon(name) && 'brand', className].filter(Boolean).join(' ');
}

export function isBrandIcon(name: string): name is BrandIcon {
  return Object.hasOwn(BRAND_ICONS, name);
}

export function brandColor(name: BrandIcon): string {
  return drawings.colors[name];
}
