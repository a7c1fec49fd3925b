import { LIMITS } from '#contract/limits.ts';
import { isWebUrl } from '#contract/web-url.ts';

export const MAX_ADDRESS_LENGTH = LIMITS.url;

/** Removes a doubled scheme, as in `https://https://…`, which pasting after a typed scheme leaves. */
export function withoutDoubledScheme(input: string): string {
  return input.replace(/^\s*(?:https?:\/\/)+(?=https?:\/\/|mailto:|tel:)/i, '');
}

/** Adds `https://` or `mailto:` to a URL or mail address without a scheme. Returns other text unchanged. */
export function withScheme(input: string): string {
  const text = input.trim();
  // `name:` is a scheme unless a digit follows, as in `localhost:3000`.
  if (/^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:|[a-z]+:\D)/i.test(text)) return text;
  const bare = text.replace(/^\/\//, '');
  if (/^[^\s@/?#]+@[^\s@/?#]+\.[^\s@/?#]+$/.test(bare)) return `mailto:${bare}`;
  const complete = `https://${bare}`;
  return /^(?:[^/?#]+\.[^/?#]|localhost\b)/i.test(bare) && isWebUrl(complete) ? complete : text;
}
