import { isHostOf } from '../icons/hosts.ts';
import { mapFrame } from './map-players.ts';

/** Form of a player: a class of its frame. */
export type PlayerForm = 'wide' | 'upright' | 'bar' | 'list' | 'post' | 'map';

/** A player of another service, for a frame. */
export interface Player {
  source: string;
  form: PlayerForm;
}

/** An address that was found to be of a service, and the parts of its path. */
interface Place {
  url: URL;
  /** The parts of the path, decoded by nobody. */
  path: string[];
}

type Rule = (place: Place) => Player | undefined;

/** Rules by the hosts of what people link to, without `www.` and `m.`. */
const RULES: Readonly<Record<string, Rule>> = {
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
 * The player of an address, by rules alone: nothing is asked of the network. Undefined if the address is
 * of no known service, or of a part of it that has no player.
 */
export function playerOf(target: string): Player | undefined {
  const url = new URL(target);
  // No port of another service is known, and the frame is loaded over TLS in any case.
  if (url.port !== '') return undefined;
  const path = url.pathname.split('/').filter(Boolean);
  const host = url.hostname.replace(/^(?:www|m)\./, '');
  const rule = Object.hasOwn(RULES, host) ? RULES[host] : undefined;
  if (rule) return rule({ url, path });
  const map = mapFrame(url);
  return map ? { source: map, form: 'map' } : mastodon(url.hostname, path);
}

function youtube({ url: { searchParams }, path: [kind, id] }: Place): Player | undefined {
  switch (kind) {
    case 'watch':
      return youtubeVideo(searchParams.get('v'), searchParams);
    case 'embed':
      return id === 'videoseries' ? youtubeList(searchParams) : youtubeVideo(id, searchParams);
    case 'shorts':
      return youtubeVideo(id, searchParams, 'upright');
    case 'live':
    case 'v':
      return youtubeVideo(id, searchParams);
    case 'playlist':
      return youtubeList(searchParams);
    default:
      return undefined;
  }
}

const YOUTUBE = 'https://www.youtube-nocookie.com/embed';

function youtubeVideo(
  id: string | null | undefined,
  given: URLSearchParams,
  form: PlayerForm = 'wide',
): Player | undefined {
  if (!id || !/^[\w-]{11}$/.test(id)) return undefined;
  const start = secondsOf(given.get('start') ?? given.get('t'));
  const end = secondsOf(given.get('end'));
  const list = listOf(given);
  return {
    source: withQuery(`${YOUTUBE}/${id}`, { start, end, list }),
    form,
  };
}

function youtubeList(given: URLSearchParams): Player | undefined {
  const list = listOf(given);
  return list ? { source: withQuery(`${YOUTUBE}/videoseries`, { list }), form: 'wide' } : undefined;
}

function listOf(given: URLSearchParams): string | undefined {
  return /^[\w-]{2,64}$/.exec(given.get('list') ?? '')?.[0];
}

/** A time as it is in addresses: `90`, `90s` or `1h2m3s`. */
function secondsOf(text: string | null): string | undefined {
  const [, hours, minutes, seconds] =
    /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text ?? '') ?? [];
  const all = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return all > 0 ? `${all}` : undefined;
}

function vimeo({ url, path }: Place): Player | undefined {
  const at = path.findIndex((part) => /^\d{1,15}$/.test(part));
  // vimeo.com/1, /channels/staffpicks/1, /groups/short/videos/1, player.vimeo.com/video/1
  const isVideo = at === 0 || /^(?:video|channels|groups)$/.test(path[0] ?? '');
  if (at < 0 || !isVideo) return undefined;
  // The key of a video that is not listed.
  const key = /^[\da-f]{6,20}$/.exec(url.searchParams.get('h') ?? path[at + 1] ?? '')?.[0];
  const start = secondsOf(/^#t=(\w+)$/.exec(url.hash)?.[1] ?? null);
  const source = withQuery(`https://player.vimeo.com/video/${path[at]}`, { h: key, dnt: '1' });
  return { source: start ? `${source}#t=${start}s` : source, form: 'wide' };
}

const SPOTIFY: Readonly<Record<string, PlayerForm>> = {
  track: 'bar',
  episode: 'bar',
  show: 'bar',
  album: 'list',
  playlist: 'list',
  artist: 'list',
};

function spotify({ url, path }: Place): Player | undefined {
  const [kind = '', id = ''] = path.filter((part) => !/^(?:embed|intl-[a-z-]+)$/.test(part));
  const form = Object.hasOwn(SPOTIFY, kind) ? SPOTIFY[kind] : undefined;
  if (!form || !/^[A-Za-z\d]{1,40}$/.test(id)) return undefined;
  const start = secondsOf(url.searchParams.get('t'));
  return { source: withQuery(`https://open.spotify.com/embed/${kind}/${id}`, { t: start }), form };
}

/** Pages of SoundCloud itself, where others have their name. */
const OF_SOUNDCLOUD = new Set(['discover', 'search', 'upload', 'you', 'pages', 'charts', 'stream']);

function soundcloud({ path }: Place): Player | undefined {
  const [user = '', title] = path;
  const isPlain = path.length <= 3 && path.every((part) => /^[\w-]{1,200}$/.test(part));
  if (!user || !isPlain || OF_SOUNDCLOUD.has(user)) return undefined;
  const isTrack = title !== undefined && path.length === 2;
  return {
    source: withQuery('https://w.soundcloud.com/player/', {
      url: `https://soundcloud.com/${path.join('/')}`,
    }),
    form: isTrack ? 'bar' : 'list',
  };
}

/** The address that SoundCloud itself offers for embedding, with what it plays. */
function soundcloudPlayer({ url: { searchParams }, path: [kind] }: Place): Player | undefined {
  const played = URL.parse(searchParams.get('url') ?? '');
  if (kind !== 'player' || played?.protocol !== 'https:') return undefined;
  if (!/^(?:api\.)?soundcloud\.com$/.test(played.host)) return undefined;
  return {
    source: withQuery('https://w.soundcloud.com/player/', { url: played.href }),
    form: /\/(?:playlists|sets)\//.test(played.pathname) ? 'list' : 'bar',
  };
}

const APPLE: Readonly<Record<string, PlayerForm>> = {
  song: 'bar',
  album: 'list',
  playlist: 'list',
  podcast: 'list',
  'music-video': 'wide',
};

function apple({ url, path }: Place): Player | undefined {
  const [country = '', kind = ''] = path;
  const form = Object.hasOwn(APPLE, kind) ? APPLE[kind] : undefined;
  const isPlain = path.length <= 4 && path.every((part) => /^[\w.%~-]{1,200}$/.test(part));
  const id = path.at(-1) ?? '';
  if (!form || !isPlain || !/^[a-z]{2}$/.test(country) || !/^(?:id)?[\w.-]*\d[\w.-]*$/.test(id))
    return undefined;
  // One song of an album, or one episode of a podcast.
  const part = /^\d{1,20}$/.exec(url.searchParams.get('i') ?? '')?.[0];
  const host = url.hostname.endsWith('podcasts.apple.com') ? 'podcasts' : 'music';
  return {
    source: withQuery(`https://embed.${host}.apple.com/${path.join('/')}`, { i: part }),
    form: part ? 'bar' : form,
  };
}

/** The address that Bandcamp itself offers for embedding: its settings are parts of the path. */
function bandcamp({ path: [kind, ...settings] }: Place): Player | undefined {
  if (kind !== 'EmbeddedPlayer' || settings.length === 0) return undefined;
  if (!settings.every((part) => /^[a-z_]{1,20}=[\w]{1,20}$/.test(part))) return undefined;
  return {
    source: `https://bandcamp.com/EmbeddedPlayer/${settings.join('/')}/`,
    form: settings.some((part) => /^(?:size=small|tracklist=false)$/.test(part)) ? 'bar' : 'list',
  };
}

function codepen({ path }: Place): Player | undefined {
  const [user = '', kind = '', id = ''] = path;
  if (!/^[\w-]{1,60}$/.test(user) || !/^(?:pen|embed|full|details)$/.test(kind)) return undefined;
  if (!/^[A-Za-z]{4,40}$/.test(id)) return undefined;
  return {
    source: withQuery(`https://codepen.io/${user}/embed/${id}`, { 'default-tab': 'result' }),
    form: 'list',
  };
}

/** A post at a server of Mastodon that many know: a frame of any host would be anybody's. */
function mastodon(host: string, path: string[]): Player | undefined {
  const [user = '', id = ''] = path[0] === 'users' ? [`@${path[1]}`, path[3]] : path;
  if (!isHostOf('mastodon', host) || !/^@\w{1,60}(?:@[\w.-]{1,200})?$/.test(user)) return undefined;
  if (!/^\d{1,20}$/.test(id)) return undefined;
  return { source: `https://${host}/${user}/${id}/embed`, form: 'post' };
}

function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length > 0 ? `${address}?${new URLSearchParams(given).toString()}` : address;
}
