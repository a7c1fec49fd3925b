/** A paragraph of a mail that begins with this quotes somebody, and is rendered as a quotation. */
export const QUOTE_PREFIX = '> ';
