import { type SiteField, SITE_TEXTS } from '#contract/shared/site-fields.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { MAX_ADDRESS_LENGTH } from './web-address.ts';

type ProfileField = Exclude<SiteField, 'custom_theme' | 'theme_id'>;

/** In the order of the form: the label, the name in a sentence, and a hint. */
const PROFILE_TEXTS: Readonly<Record<ProfileField, [label: string, name: string, hint?: string]>> =
  {
    display_name: [
      t('Name'),
      t('name'),
      t('Shown at the top of your page. If empty, your display name is shown.'),
    ],
    avatar_url: [t('Picture'), t('picture')],
    bio: [t('Bio'), t('bio')],
    location: [t('Location'), t('location')],
    mood: [t('Mood'), t('mood'), t('Becomes the icon of your page. A few words are fine, too.')],
  };

const OTHER_NAMES: Readonly<Record<string, string>> = {
  theme_id: t('theme'),
  custom_theme: t('custom colors'),
  settings: t('page settings'),
  blocks: t('blocks'),
};

export const PROFILE_FIELDS = (Object.keys(PROFILE_TEXTS) as ProfileField[]).map((name) => {
  const [label, , hint] = PROFILE_TEXTS[name];
  const maxLength = name === 'avatar_url' ? MAX_ADDRESS_LENGTH : SITE_TEXTS[name].max;
  return { name, label, hint, maxLength };
});

/** Falls back to the name for fields that are not in the profile. */
export function profileFieldLabel(field = ''): string {
  return PROFILE_TEXTS[field as ProfileField]?.[0] ?? field;
}

/** A list of site fields for a sentence: `title, bio, and theme`. */
export function describeFields(fields: readonly string[]): string {
  const names = fields.map(
    (field) => PROFILE_TEXTS[field as ProfileField]?.[1] ?? OTHER_NAMES[field] ?? field,
  );
  return formatList(names);
}
