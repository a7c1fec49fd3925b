import { LIMITS } from '#contract/shared/limits.ts';
import { safeWebUrl } from '../html/safe-url.ts';
import { findEmbed } from './embeds.ts';

/** Documented oEmbed endpoints by the host of the player. */
const OEMBED_ENDPOINTS: Readonly<Record<string, string>> = {
  'www.youtube-nocookie.com': 'https://www.youtube.com/oembed?format=json&url=',
  'player.vimeo.com': 'https://vimeo.com/api/oembed.json?width=1280&url=',
  'open.spotify.com': 'https://open.spotify.com/oembed?url=',
  'w.soundcloud.com': 'https://soundcloud.com/oembed?format=json&url=',
};

/** Where a service says the title and the cover of a film or sound. Undefined for other addresses. */
export function findCoverSource(address: string): string | undefined {
  if (address.length > LIMITS.coverUrl) return undefined;
  const target = safeWebUrl(address)?.replace(/^http:/, 'https:');
  const player = target && findEmbed(target);
  if (!player) return undefined;
  const src = new URL(player.src);
  const endpoint = OEMBED_ENDPOINTS[src.hostname];
  return endpoint && `${endpoint}${encodeURIComponent(oembedTarget(target, src))}`;
}

/**
 * YouTube and SoundCloud know only the addresses of their pages, not those of their players, and
 * SoundCloud only without a final slash.
 */
function oembedTarget(target: string, { hostname, pathname, searchParams }: URL): string {
  if (hostname === 'w.soundcloud.com') return searchParams.get('url')!;
  if (hostname !== 'www.youtube-nocookie.com') return target;
  const id = pathname.split('/').at(-1)!;
  return id === 'videoseries'
    ? `https://www.youtube.com/playlist?list=${searchParams.get('list')}`
    : `https://www.youtube.com/watch?v=${id}`;
}
