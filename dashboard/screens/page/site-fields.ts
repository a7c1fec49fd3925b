import { LIMITS } from '#contract/limits.ts';
import { MAX_ADDRESS_LENGTH } from './web-address.ts';

export const PROFILE_FIELDS = [
  [
    'display_name',
    'Name',
    LIMITS.siteDisplayName,
    'Shown at the top of your page. If empty, your display name is shown.',
  ],
  ['avatar_url', 'Picture', MAX_ADDRESS_LENGTH, undefined],
  ['bio', 'Bio', LIMITS.bio, undefined],
  ['location', 'Location', LIMITS.location, undefined],
  ['mood', 'Mood', LIMITS.mood, 'A few words. An emoji becomes the icon of your page.'],
] as const;

/** Falls back to the name for fields that are not in the profile. */
export function profileFieldLabel(field = ''): string {
  return PROFILE_FIELDS.find(([name]) => name === field)?.[1] ?? field;
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  display_name: 'title',
  bio: 'bio',
  avatar_url: 'picture',
  location: 'location',
  mood: 'mood',
  theme_id: 'theme',
  custom_theme: 'custom colors',
  settings: 'page settings',
  blocks: 'blocks',
};

/** A list of site fields for a sentence: `title, bio, and theme`. */
export function describeFields(fields: readonly string[]): string {
  return new Intl.ListFormat('en').format(fields.map((field) => FIELD_LABELS[field] ?? field));
}
