import { LIMITS } from '#contract/shared/limits.ts';
import { safeWebUrl } from '../html/safe-url.ts';
import { findEmbed } from './embeds.ts';

export interface CoverSource {
  url: string;
  /** Otherwise, it is a page with Open Graph tags. */
  isOembed: boolean;
}

/** Documented oEmbed endpoints by the host of the player. */
const OEMBED_ENDPOINTS: Readonly<Record<string, string>> = {
  'www.youtube-nocookie.com': 'https://www.youtube.com/oembed?format=json&url=',
  'player.vimeo.com': 'https://vimeo.com/api/oembed.json?width=1280&url=',
  'open.spotify.com': 'https://open.spotify.com/oembed?url=',
  'w.soundcloud.com': 'https://soundcloud.com/oembed?format=json&url=',
  'codepen.io': 'https://codepen.io/api/oembed?format=json&url=',
};

const BANDCAMP_PAGE = /^https:\/\/[\w-]+\.bandcamp\.com\/(?:album|track)\/[\w-]+\/?$/;

/** Where a service says the title and the cover of a film or sound. Undefined for other addresses. */
export function findCoverSource(address: string): CoverSource | undefined {
  if (address.length > LIMITS.coverUrl) return undefined;
  const target = safeWebUrl(address)?.replace(/^http:/, 'https:');
  if (!target) return undefined;
  if (BANDCAMP_PAGE.test(target)) return { url: target, isOembed: false };
  const player = findEmbed(target);
  if (!player) return undefined;
  const src = new URL(player.src);
  const endpoint = OEMBED_ENDPOINTS[src.hostname];
  if (endpoint)
    return { url: `${endpoint}${encodeURIComponent(oembedTarget(target, src))}`, isOembed: true };
  const isApple = src.hostname.endsWith('.apple.com');
  return isApple
    ? { url: target.replace(/^https:\/\/embed\./, 'https://'), isOembed: false }
    : undefined;
}

/** YouTube knows only the addresses of its pages, not those of its players. */
function oembedTarget(target: string, { hostname, pathname, searchParams }: URL): string {
  if (hostname !== 'www.youtube-nocookie.com') return target;
  const id = pathname.split('/').at(-1)!;
  return id === 'videoseries'
    ? `https://www.youtube.com/playlist?list=${searchParams.get('list')}`
    : `https://www.youtube.com/watch?v=${id}`;
}
