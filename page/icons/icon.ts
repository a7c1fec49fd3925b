import { BRAND_ICONS, type GenericIcon, type IconName } from '#contract/icons.ts';
import { type Html, trusted } from '../html.ts';
import drawings from './drawings.json' with { type: 'json' };

const DRAWINGS: Readonly<Record<IconName, string>> = { ...drawings.brands, ...drawings.generic };

/** Drawing of an icon, of 24 by 24 units. */
export function drawingOf(name: IconName): string {
  return DRAWINGS[name];
}

/** An icon beside words that say the same; `className` is added to its classes. */
export function icon(name: GenericIcon, className?: string): Html {
  return trusted(
    `<svg class="${classesOf(name, className)}" viewBox="0 0 24 24" aria-hidden="true">${drawingOf(name)}</svg>`,
  );
}

/** Classes of an icon: those of services are filled, others are lines. */
export function classesOf(name: IconName, className?: string): string {
  return ['i', name in BRAND_ICONS && 'brand', className].filter(Boolean).join(' ');
}
