import { LIMITS } from '#contract/limits.ts';
import { isWebUrl } from '#contract/web-url.ts';

export const MAX_ADDRESS_LENGTH = LIMITS.url;

/** Removes a scheme in front of an address that was pasted with its own: `https://https://…`. */
export function withoutDoubledScheme(typed: string): string {
  return typed.replace(/^\s*(?:https?:\/\/)+(?=https?:\/\/|mailto:|tel:)/i, '');
}

/** Adds the scheme that an address was typed without; what looks like no address stays as it is. */
export function withScheme(typed: string): string {
  const text = typed.trim();
  // A scheme, unless digits follow it: that is a host with a port.
  if (/^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:|[a-z]+:\D)/i.test(text)) return text;
  const bare = text.replace(/^\/\//, '');
  if (/^[^\s@/?#]+@[^\s@/?#]+\.[^\s@/?#]+$/.test(bare)) return `mailto:${bare}`;
  const complete = `https://${bare}`;
  return /^(?:[^/?#]+\.[^/?#]|localhost\b)/i.test(bare) && isWebUrl(complete) ? complete : text;
}
