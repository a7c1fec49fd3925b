/** The fields of a site. Its blocks and its page settings are stored separately. */
export const SITE_FIELDS = [
  'bio',
  'avatar_url',
  'custom_theme',
  'theme_id',
  'display_name',
  'location',
  'mood',
] as const;

export type SiteField = (typeof SITE_FIELDS)[number];
type SiteTextField = Exclude<SiteField, 'avatar_url' | 'custom_theme' | 'theme_id'>;

interface SiteText {
  /** In code points. */
  max: number;
  description: string;
  example: string;
}

/** The fields that take any text. */
export const SITE_TEXTS: Readonly<Record<SiteTextField, SiteText>> = {
  bio: { max: 4_000, description: 'Site description.', example: 'Potter in Lisbon.' },
  display_name: {
    max: 200,
    description: "The page's title. Any text, independent of the account's display name.",
    example: "Jane's pots",
  },
  location: { max: 200, description: 'Location shown on the site.', example: 'Lisbon' },
  mood: { max: 200, description: 'A mood emoji or a string.', example: '🌞' },
};

export function mapSiteTexts<Value>(
  toValue: (text: SiteText, field: string) => Value,
): Record<SiteTextField, Value> {
  const entries = Object.entries(SITE_TEXTS).map(([field, text]) => [field, toValue(text, field)]);
  return Object.fromEntries(entries) as Record<SiteTextField, Value>;
}

export function pickSiteFields<Values extends Record<SiteField, unknown>>(
  values: Values,
): Pick<Values, SiteField> {
  const entries = SITE_FIELDS.map((field) => [field, values[field]]);
  return Object.fromEntries(entries) as Pick<Values, SiteField>;
}
