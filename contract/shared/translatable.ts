/**
 * Marks a text that only the dashboard translates: its bundler replaces the call. Everywhere else,
 * such as in the OpenAPI documents, the text stays English. In `icon|Home`, `icon` is context for
 * translators.
 */
export function t(text: string): string {
  return text.replace(/^[a-z ]+\|/, '');
}
