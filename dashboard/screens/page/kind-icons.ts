import { type BlockKind, isBlockKind } from '#contract/shared/blocks.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';

/** SVG path of the icon of each block kind, in a 16 by 16 view box. */
const KIND_ICONS: Readonly<Record<BlockKind, string>> = {
  link: ICON_PATHS.link,
  text: 'M3 5V3.5h10V5M8 3.5v9M6 12.5h4',
  heading: 'M4 3v10M12 3v10M4 8h8',
  social:
    'M8 5.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4M10.7 5.3v3.5a1.75 1.75 0 0 0 3.5 0V8a6.2 6.2 0 1 0-2.5 5',
  image: ICON_PATHS.image,
  gallery: 'M2.5 2.5h6.5v5H2.5zM11 2.5h2.5v5H11zM2.5 9.5H5v4H2.5zM7 9.5h6.5v4H7z',
  contact:
    'M4.2 2.5h2l1.1 3.1-1.4 1.2a7.5 7.5 0 0 0 3.3 3.3l1.2-1.4 3.1 1.1v2a1.7 1.7 0 0 1-1.8 1.7A10 10 0 0 1 2.5 4.3a1.7 1.7 0 0 1 1.7-1.8',
  contact_form: 'M14 2.5 2 7l4.7 2.3L9 14zM6.7 9.3 14 2.5',
  metric: 'M2.5 2.5v11h11M5.7 11V8.5M8.7 11V5M11.7 11V7',
  event: 'M2.5 3.5h11v10h-11zM2.5 6.8h11M5.5 2v3M10.5 2v3',
  countdown: 'M8 3.7a5 5 0 1 0 0 10 5 5 0 0 0 0-10M8 8.7l2-2M6.5 1.7h3',
  quote: 'M6.5 4.5H3v3.8h3.5zM6.5 8.3c0 2-.9 3-2.8 3.2M13 4.5H9.5v3.8H13zM13 8.3c0 2-.9 3-2.8 3.2',
  faq: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M6.2 6.3a1.9 1.9 0 1 1 2.6 1.8c-.6.3-.8.6-.8 1.2M8 11.3v.01',
  code: ICON_PATHS.api,
  key: ICON_PATHS.key,
  embed: 'M4.8 3v10l8-5z',
  qr: ICON_PATHS.qr,
  divider: 'M2.5 8h11',
};

const DEFAULT_ICON =
  'M6 2.5c-2 0-2 1-2 2.3S4 7.5 2.7 8C4 8.5 4 9.9 4 11.2s0 2.3 2 2.3M10 2.5c2 0 2 1 2 2.3s0 2.7 1.3 3.2c-1.3.5-1.3 1.9-1.3 3.2s0 2.3-2 2.3';

export function iconOfKind(type: string): string {
  return isBlockKind(type) ? KIND_ICONS[type] : DEFAULT_ICON;
}
