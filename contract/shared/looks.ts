/** Designs that replace the theme and its colors, with their labels. */
export const LOOKS = {
  gallery: 'Gallery',
  citrus: 'Citrus',
  velvet: 'Velvet',
  notebook: 'Notebook',
} as const;

export type Look = keyof typeof LOOKS;

export function isLook(value: unknown): value is Look {
  return typeof value === 'string' && Object.hasOwn(LOOKS, value);
}
