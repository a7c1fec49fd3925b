/** The parts of a site, as forms call them. */
const LABELS: Readonly<Record<string, string>> = {
  display_name: 'title',
  bio: 'bio',
  avatar_url: 'picture',
  location: 'location',
  mood: 'mood',
  theme_id: 'theme',
  custom_theme: 'custom colours',
  blocks: 'blocks',
};

/** Some parts of a site in a sentence. */
export function partWords(parts: readonly string[]): string {
  return new Intl.ListFormat('en').format(parts.map((part) => LABELS[part] ?? part));
}
