import { domainToASCII } from 'node:url';
import { type Html, html } from './html.ts';

/** The text of a link; with where it really leads behind it if the text names another host. */
export function linkText(text: string, target: string): Html | string {
  const host = hostIfMisleading(text, target);
  // Apart, so that no character that turns the direction of a text does it to what is ours.
  return host === undefined ? text : html`<bdi>${text}</bdi>${hostSuffix(host)}`;
}

/** Link text in brackets, as it is written behind a text. */
export function hostSuffix(place: string): string {
  return `\u00A0(${place})`;
}

/** Length above which a text always gets one: looking for hosts in a large page would take long. */
const MAX_CHARACTERS = 500;

/** An address that names no other host than its own. */
const SINGLE_HOST_URL = /^https?:\/\/[a-z0-9.-]+(?:[/?#:][^.]*)?$/;

/** Where a link leads, if its text looks as if it were another host; undefined if nothing is to be said. */
export function hostIfMisleading(text: string, target: string): string | undefined {
  if (text === target && SINGLE_HOST_URL.test(text)) return undefined;
  const hosts = text.length <= MAX_CHARACTERS ? findHosts(text) : undefined;
  if (hosts?.length === 0) return undefined;
  const { protocol, hostname, pathname } = new URL(target);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  const host = isWeb ? hostname : pathname.slice(pathname.lastIndexOf('@') + 1).toLowerCase();
  return hosts?.every((named) => isSameHost(named, host)) ? undefined : host;
}

/** All that could be taken for the name of a host, as browsers write it in their address bar. */
function findHosts(text: string): string[] {
  // Without what nobody sees, and with one form for each letter.
  const normalised = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/。/g, '.')
    .toLowerCase();
  if (!normalised.includes('.')) return [];
  return normalised
    .split(/[^\p{L}\p{M}\p{N}.-]+/u)
    .map((word) => word.replace(/^[.-]+|[.-]+$/g, ''))
    .filter((word) => /\.(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/u.test(word))
    .map((word) => (/^[a-z0-9.-]+$/.test(word) ? word : domainToASCII(word)));
}

/** A name below another is the same to readers, as `www.` is. */
function isSameHost(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}
