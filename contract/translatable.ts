/**
 * Marks a text that only the dashboard translates: its bundler replaces the call. Elsewhere, such as
 * in the OpenAPI documents, the text stays English. `icon|Home` gives translators a context.
 */
export function t(text: string): string {
  return text.replace(/^[a-z ]+\|/, '');
}
