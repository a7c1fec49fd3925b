import { LIMITS } from '#contract/limits.ts';
import { MAX_ADDRESS_LENGTH } from './web-address.ts';

/** Fields of the profile: name, label, maximum length, hint. */
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

/** The label of a field of the profile; of another field, its name. */
export function profileFieldLabel(field = ''): string {
  return PROFILE_FIELDS.find(([name]) => name === field)?.[1] ?? field;
}

/** The parts of a site, as forms call them. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  display_name: 'title',
  bio: 'bio',
  avatar_url: 'picture',
  location: 'location',
  mood: 'mood',
  theme_id: 'theme',
  custom_theme: 'custom colours',
  settings: 'page settings',
  blocks: 'blocks',
};

/** Some parts of a site in a sentence. */
export function describeFields(parts: readonly string[]): string {
  return new Intl.ListFormat('en').format(parts.map((part) => FIELD_LABELS[part] ?? part));
}
