import { legalUrls } from '#contract/shared/instance.ts';
import { plateColors } from '#contract/shared/plate-colors.ts';
import type { owner, ResponseOf } from '#dashboard/api/api.ts';
import { instance } from '#dashboard/instance.ts';

export type Instance = ResponseOf<typeof owner.server.getInstance>['instance'];

export const DRAFT_FIELDS = [
  'name',
  'line',
  'color',
  'logo_url',
  'dark_logo_url',
  'cover_url',
  'cover_description',
  'cover_focus',
  'theme_fonts',
  'contact',
  'welcome',
  'directory',
  'our_page',
] as const;

/** What the screen Appearance edits. Empty texts mean the default. */
export type InstanceDraft = Record<(typeof DRAFT_FIELDS)[number], string>;

/** The props of the input of a field. */
export type Bind = (name: keyof InstanceDraft) => {
  name: keyof InstanceDraft;
  value: string;
  onValue: (value: string) => void;
};

/** Updates the name, logo, links and plate color of the open document. */
export function updateDocument(saved: Instance): void {
  const { name, contact, color, theme_fonts } = saved;
  instance.value = {
    name,
    contact,
    theme_fonts,
    ...legalUrls(saved, ''),
    logo_id: logoIdOf(saved.logo_url),
    dark_logo_id: logoIdOf(saved.dark_logo_url),
  };
  const { style } = document.documentElement;
  const { top, bottom } = plateColors(color);
  style.setProperty('--plate-1', top);
  style.setProperty('--plate-2', bottom);
}

function logoIdOf(url: string | null): string | null {
  return /\/instance\/([^/]+)\.webp$/.exec(url ?? '')?.[1] ?? null;
}
