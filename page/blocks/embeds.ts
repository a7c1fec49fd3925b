import { isServiceHost } from '../icons/service-hosts.ts';
import { mapEmbedUrl } from './map-embeds.ts';

/** Shape of a player, and the CSS class of its iframe. */
export type EmbedShape =
  /** A film of 16:9. */
  | 'wide'
  /** A film that is higher than wide. */
  | 'upright'
  /** One audio track, as high as a line or two. */
  | 'bar'
  /** A list of tracks, or another player of its height. */
  | 'list'
  | 'post'
  | 'map';

export interface Embed {
  src: string;
  shape: EmbedShape;
}

interface ParsedUrl {
  url: URL;
  /** Path segments, not URL-decoded. */
  path: string[];
}

type EmbedRule = (target: ParsedUrl) => Embed | undefined;

/** Host names without `www.` and `m.`. */
const RULES_BY_HOST: Readonly<Record<string, EmbedRule>> = {
  'youtube.com': youtube,
  'music.youtube.com': youtube,
  'youtube-nocookie.com': youtube,
  'youtu.be': ({ url, path: [id] }) => youtubeVideo(id, url.searchParams),
  'vimeo.com': vimeo,
  'player.vimeo.com': vimeo,
  'open.spotify.com': spotify,
  'soundcloud.com': soundcloud,
  'w.soundcloud.com': soundcloudPlayer,
  'music.apple.com': apple,
  'embed.music.apple.com': apple,
  'podcasts.apple.com': apple,
  'embed.podcasts.apple.com': apple,
  'bandcamp.com': bandcamp,
  'codepen.io': codepen,
};

/**
 * Finds a player by URL patterns, without network requests. Undefined for unknown services and for
 * pages without a player.
 */
export function findEmbed(target: string): Embed | undefined {
  const url = new URL(target);
  // No known service uses a port, and the iframe is always loaded over https.
  if (url.port !== '') return undefined;
  const path = url.pathname.split('/').filter(Boolean);
  const host = url.hostname.replace(/^(?:www|m)\./, '');
  const rule = Object.hasOwn(RULES_BY_HOST, host) ? RULES_BY_HOST[host] : undefined;
  if (rule) return rule({ url, path });
  const mapUrl = mapEmbedUrl(url);
  return mapUrl ? { src: mapUrl, shape: 'map' } : mastodon(url.hostname, path);
}

function youtube({ url: { searchParams }, path: [kind, id] }: ParsedUrl): Embed | undefined {
  switch (kind) {
    case 'watch':
      return youtubeVideo(searchParams.get('v'), searchParams);
    case 'embed':
      return id === 'videoseries' ? youtubePlaylist(searchParams) : youtubeVideo(id, searchParams);
    case 'shorts':
      return youtubeVideo(id, searchParams, 'upright');
    case 'live':
    case 'v':
      return youtubeVideo(id, searchParams);
    case 'playlist':
      return youtubePlaylist(searchParams);
    default:
      return undefined;
  }
}

const YOUTUBE_EMBED = 'https://www.youtube-nocookie.com/embed';

function youtubeVideo(
  id: string | null | undefined,
  params: URLSearchParams,
  shape: EmbedShape = 'wide',
): Embed | undefined {
  if (!id || !/^[\w-]{11}$/.test(id)) return undefined;
  const start = parseSeconds(params.get('start') ?? params.get('t'));
  const end = parseSeconds(params.get('end'));
  const list = playlistId(params);
  return {
    src: withQuery(`${YOUTUBE_EMBED}/${id}`, { start, end, list }),
    shape,
  };
}

function youtubePlaylist(params: URLSearchParams): Embed | undefined {
  const list = playlistId(params);
  return list
    ? { src: withQuery(`${YOUTUBE_EMBED}/videoseries`, { list }), shape: 'wide' }
    : undefined;
}

function playlistId(params: URLSearchParams): string | undefined {
  return /^[\w-]{2,64}$/.exec(params.get('list') ?? '')?.[0];
}

/** Converts `90`, `90s` or `1h2m3s` to seconds. */
function parseSeconds(text: string | null): string | undefined {
  const [, hours, minutes, seconds] =
    /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text ?? '') ?? [];
  const totalSeconds =
    Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return totalSeconds > 0 ? `${totalSeconds}` : undefined;
}

function vimeo({ url, path }: ParsedUrl): Embed | undefined {
  const index = path.findIndex((segment) => /^\d{1,15}$/.test(segment));
  // vimeo.com/1, /channels/staffpicks/1, /groups/short/videos/1, player.vimeo.com/video/1
  const isVideo = index === 0 || /^(?:video|channels|groups)$/.test(path[0] ?? '');
  if (index < 0 || !isVideo) return undefined;
  // Key of an unlisted video.
  const key = /^[\da-f]{6,20}$/.exec(url.searchParams.get('h') ?? path[index + 1] ?? '')?.[0];
  const start = parseSeconds(/^#t=(\w+)$/.exec(url.hash)?.[1] ?? null);
  const source = withQuery(`https://player.vimeo.com/video/${path[index]}`, { h: key, dnt: '1' });
  return { src: start ? `${source}#t=${start}s` : source, shape: 'wide' };
}

const SPOTIFY_SHAPES: Readonly<Record<string, EmbedShape>> = {
  track: 'bar',
  episode: 'bar',
  show: 'bar',
  album: 'list',
  playlist: 'list',
  artist: 'list',
};

function spotify({ url, path }: ParsedUrl): Embed | undefined {
  const [kind = '', id = ''] = path.filter((segment) => !/^(?:embed|intl-[a-z-]+)$/.test(segment));
  const shape = Object.hasOwn(SPOTIFY_SHAPES, kind) ? SPOTIFY_SHAPES[kind] : undefined;
  if (!shape || !/^[A-Za-z\d]{1,40}$/.test(id)) return undefined;
  const start = parseSeconds(url.searchParams.get('t'));
  return {
    src: withQuery(`https://open.spotify.com/embed/${kind}/${id}`, { t: start }),
    shape,
  };
}

/** SoundCloud paths that are not user names. */
const SOUNDCLOUD_PAGES = new Set([
  'discover',
  'search',
  'upload',
  'you',
  'pages',
  'charts',
  'stream',
]);

function soundcloud({ path }: ParsedUrl): Embed | undefined {
  // The last segment of a private track or set is its key.
  const { length } = /^s-\w{5,40}$/.test(path.at(-1) ?? '') ? path.slice(0, -1) : path;
  const [user = '', title] = path;
  const isPathValid = length <= 3 && path.every((segment) => /^[\w-]{1,200}$/.test(segment));
  if (!user || !isPathValid || SOUNDCLOUD_PAGES.has(user)) return undefined;
  const isTrack = title !== undefined && length === 2;
  return {
    src: withQuery('https://w.soundcloud.com/player/', {
      url: `https://soundcloud.com/${path.join('/')}`,
    }),
    shape: isTrack ? 'bar' : 'list',
  };
}

/** Accepts the embed URL that SoundCloud offers. */
function soundcloudPlayer({ url: { searchParams }, path: [kind] }: ParsedUrl): Embed | undefined {
  const trackUrl = URL.parse(searchParams.get('url') ?? '');
  if (kind !== 'player' || trackUrl?.protocol !== 'https:') return undefined;
  if (!/^(?:api\.)?soundcloud\.com$/.test(trackUrl.host)) return undefined;
  return {
    src: withQuery('https://w.soundcloud.com/player/', { url: trackUrl.href }),
    shape: /\/(?:playlists|sets)\//.test(trackUrl.pathname) ? 'list' : 'bar',
  };
}

const APPLE_SHAPES: Readonly<Record<string, EmbedShape>> = {
  song: 'bar',
  album: 'list',
  playlist: 'list',
  podcast: 'list',
  'music-video': 'wide',
};

function apple({ url, path }: ParsedUrl): Embed | undefined {
  const [country = '', kind = ''] = path;
  const shape = Object.hasOwn(APPLE_SHAPES, kind) ? APPLE_SHAPES[kind] : undefined;
  const isPathValid =
    path.length <= 4 && path.every((segment) => /^[\w.%~-]{1,200}$/.test(segment));
  const id = path.at(-1) ?? '';
  if (!shape || !isPathValid || !/^[a-z]{2}$/.test(country) || !/^[A-Za-z_.-]*\d[\w.-]*$/.test(id))
    return undefined;
  // `i` selects one song of an album or one episode of a podcast.
  const itemId = /^\d{1,20}$/.exec(url.searchParams.get('i') ?? '')?.[0];
  const host = url.hostname.endsWith('podcasts.apple.com') ? 'podcasts' : 'music';
  return {
    src: withQuery(`https://embed.${host}.apple.com/${path.join('/')}`, { i: itemId }),
    shape: itemId ? 'bar' : shape,
  };
}

/** Accepts the embed URL that Bandcamp offers. Its settings are path segments. */
function bandcamp({ path: [kind, ...settings] }: ParsedUrl): Embed | undefined {
  if (kind !== 'EmbeddedPlayer' || settings.length === 0) return undefined;
  if (!settings.every((segment) => /^[a-z_]{1,20}=[\w]{1,20}$/.test(segment))) return undefined;
  return {
    src: `https://bandcamp.com/EmbeddedPlayer/${settings.join('/')}/`,
    shape: settings.some((segment) => /^(?:size=small|tracklist=false)$/.test(segment))
      ? 'bar'
      : 'list',
  };
}

function codepen({ path }: ParsedUrl): Embed | undefined {
  const [user = '', kind = '', id = ''] = path;
  if (!/^[\w-]{1,60}$/.test(user) || !/^(?:pen|embed|full|details)$/.test(kind)) return undefined;
  if (!/^[A-Za-z]{4,40}$/.test(id)) return undefined;
  return {
    src: withQuery(`https://codepen.io/${user}/embed/${id}`, { 'default-tab': 'result' }),
    shape: 'list',
  };
}

/**
 * Accepts only well-known Mastodon servers, because otherwise owners could embed any host. A server
 * redirects posts of other servers (`/@user@host/1`) to them, which forbid frames.
 */
function mastodon(host: string, path: string[]): Embed | undefined {
  const [user = '', id = ''] = path[0] === 'users' ? [`@${path[1]}`, path[3]] : path;
  if (!isServiceHost('mastodon', host) || !/^@\w{1,60}$/.test(user)) return undefined;
  if (!/^\d{1,20}$/.test(id)) return undefined;
  return { src: `https://${host}/${user}/${id}/embed`, shape: 'post' };
}

function withQuery(url: string, query: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return entries.length > 0 ? `${url}?${new URLSearchParams(entries).toString()}` : url;
}
