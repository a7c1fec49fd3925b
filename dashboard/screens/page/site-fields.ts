import { LIMITS } from '#contract/limits.ts';
import { t } from '#dashboard/translate.ts';
import { MAX_ADDRESS_LENGTH } from './web-address.ts';

export const PROFILE_FIELDS = [
  [
    'display_name',
    t('Name'),
    LIMITS.siteDisplayName,
    t('Shown at the top of your page. If empty, your display name is shown.'),
  ],
  ['avatar_url', t('Picture'), MAX_ADDRESS_LENGTH, undefined],
  ['bio', t('Bio'), LIMITS.bio, undefined],
  ['location', t('Location'), LIMITS.location, undefined],
  ['mood', t('Mood'), LIMITS.mood, t('Becomes the icon of your page. A few words are fine, too.')],
] as const;

/** Falls back to the name for fields that are not in the profile. */
export function profileFieldLabel(field = ''): string {
  return PROFILE_FIELDS.find(([name]) => name === field)?.[1] ?? field;
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  display_name: t('name'),
  bio: t('bio'),
  avatar_url: t('picture'),
  location: t('location'),
  mood: t('mood'),
  theme_id: t('theme'),
  custom_theme: t('custom colors'),
  settings: t('page settings'),
  blocks: t('blocks'),
};

/** A list of site fields for a sentence: `title, bio, and theme`. */
export function describeFields(fields: readonly string[]): string {
  return new Intl.ListFormat(t.locale).format(fields.map((field) => FIELD_LABELS[field] ?? field));
}
