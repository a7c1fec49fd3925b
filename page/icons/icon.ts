import { BRAND_ICONS, type GenericIcon, type IconName } from '#contract/icons.ts';
import { type Html, trusted } from '../html.ts';
import drawings from './drawings.json' with { type: 'json' };

const ICON_PATHS: Readonly<Record<IconName, string>> = { ...drawings.brands, ...drawings.generic };

/** Drawing of an icon, of 24 by 24 units. */
export function iconPaths(name: IconName): string {
  return ICON_PATHS[name];
}

/** An icon beside words that say the same; `className` is added to its classes. */
export function renderIcon(name: GenericIcon, className?: string): Html {
  return trusted(
    `<svg class="${iconClasses(name, className)}" viewBox="0 0 24 24" aria-hidden="true">${iconPaths(name)}</svg>`,
  );
}

/** Classes of an icon: those of services are filled, others are lines. */
export function iconClasses(name: IconName, className?: string): string {
  return ['i', name in BRAND_ICONS && 'brand', className].filter(Boolean).join(' ');
}
