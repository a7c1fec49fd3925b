/**
 * Marks a text that only the dashboard translates: its bundler replaces the call. Elsewhere, such as
 * in the OpenAPI documents, the text stays English.
 */
export function t<const Text extends string>(text: Text): Text {
  return text;
}
