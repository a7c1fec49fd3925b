import { BRAND_ICONS, type BrandIcon, type IconName } from '#contract/shared/icons.ts';

/**
 * Hosts of services that are not just at `<service>.com`. Subdomains match, too. A host can be
 * followed by the first path segment.
 */
const OTHER_HOSTS: Readonly<Partial<Record<BrandIcon, readonly string[]>>> = {
  anilist: ['anilist.co'],
  applemusic: ['music.apple.com'],
  applepodcasts: ['podcasts.apple.com'],
  appstore: ['apps.apple.com'],
  archiveofourown: ['archiveofourown.org'],
  arxiv: ['arxiv.org'],
  behance: ['behance.net'],
  bilibili: ['bilibili.com', 'b23.tv'],
  bitbucket: ['bitbucket.org'],
  blogger: ['blogger.com', 'blogspot.com'],
  bluesky: ['bsky.app', 'bsky.social'],
  buymeacoffee: ['buymeacoffee.com', 'coff.ee'],
  caldotcom: ['cal.com'],
  cashapp: ['cash.app'],
  chessdotcom: ['chess.com'],
  codeberg: ['codeberg.org', 'codeberg.page'],
  dailymotion: ['dailymotion.com', 'dai.ly'],
  devdotto: ['dev.to'],
  discord: ['discord.com', 'discord.gg', 'discordapp.com'],
  docker: ['hub.docker.com'],
  ebay: ['ebay.com', 'ebay.co.uk', 'ebay.de', 'ebay.fr', 'ebay.it', 'ebay.es'],
  facebook: ['facebook.com', 'fb.com', 'fb.me'],
  fdroid: ['f-droid.org'],
  flathub: ['flathub.org'],
  flickr: ['flickr.com', 'flic.kr'],
  forgejo: ['forgejo.org'],
  ghost: ['ghost.io'],
  github: ['github.com', 'github.io'],
  githubsponsors: ['github.com/sponsors'],
  gitlab: ['gitlab.com', 'gitlab.io'],
  gofundme: ['gofundme.com', 'gofund.me'],
  googlecalendar: ['calendar.google.com', 'calendar.app.google'],
  googledrive: ['drive.google.com', 'docs.google.com'],
  googlemaps: ['maps.google.com', 'google.com/maps', 'maps.app.goo.gl', 'goo.gl/maps'],
  googlemeet: ['meet.google.com'],
  googleplay: ['play.google.com'],
  googlescholar: ['scholar.google.com'],
  hashnode: ['hashnode.com', 'hashnode.dev'],
  huggingface: ['huggingface.co'],
  instagram: ['instagram.com', 'instagr.am'],
  itchdotio: ['itch.io'],
  kakaotalk: ['kakao.com'],
  keybase: ['keybase.io'],
  kofi: ['ko-fi.com'],
  komoot: ['komoot.com', 'komoot.de'],
  lastdotfm: ['last.fm', 'lastfm.com'],
  lemmy: ['lemmy.world', 'lemmy.ml'],
  letterboxd: ['letterboxd.com', 'boxd.it'],
  lichess: ['lichess.org'],
  line: ['line.me'],
  linkedin: ['linkedin.com', 'lnkd.in'],
  linktree: ['linktr.ee'],
  mastodon: [
    'mastodon.social',
    'mastodon.online',
    'mastodon.world',
    'mastodon.art',
    'mastodon.nl',
    'mastodon.green',
    'mstdn.social',
    'mstdn.jp',
    'mstdn.ca',
    'mas.to',
    'fosstodon.org',
    'hachyderm.io',
    'infosec.exchange',
    'techhub.social',
    'indieweb.social',
    'chaos.social',
    'troet.cafe',
    'social.tchncs.de',
    'piaille.fr',
    'aus.social',
    'floss.social',
    'universeodon.com',
    'sfba.social',
    'ohai.social',
    'kolektiva.social',
    'social.vivaldi.net',
  ],
  matrix: ['matrix.to'],
  messenger: ['messenger.com', 'm.me'],
  misskey: ['misskey.io'],
  musicbrainz: ['musicbrainz.org', 'listenbrainz.org'],
  myanimelist: ['myanimelist.net'],
  notion: ['notion.so', 'notion.site', 'notion.com'],
  npm: ['npmjs.com', 'npmjs.org'],
  openstreetmap: ['openstreetmap.org', 'osm.org'],
  orcid: ['orcid.org'],
  paypal: ['paypal.com', 'paypal.me'],
  peertube: ['joinpeertube.org', 'framatube.org'],
  pinterest: ['pinterest.com', 'pin.it', 'pinterest.co.uk', 'pinterest.de', 'pinterest.fr'],
  pixelfed: ['pixelfed.social', 'pixelfed.org'],
  pocketcasts: ['pocketcasts.com', 'pca.st'],
  pypi: ['pypi.org'],
  reddit: ['reddit.com', 'redd.it'],
  researchgate: ['researchgate.net'],
  rust: ['crates.io', 'docs.rs'],
  shopify: ['myshopify.com', 'shopify.com'],
  signal: ['signal.me', 'signal.group', 'signal.org'],
  sinaweibo: ['weibo.com', 'weibo.cn'],
  sourcehut: ['sr.ht'],
  spotify: ['spotify.com', 'spotify.link'],
  steam: ['steampowered.com', 'steamcommunity.com', 's.team'],
  strava: ['strava.com', 'strava.app.link'],
  telegram: ['t.me', 'telegram.me', 'telegram.org'],
  threads: ['threads.net', 'threads.com'],
  threema: ['threema.id', 'threema.ch'],
  trakt: ['trakt.tv'],
  twitch: ['twitch.tv'],
  vinted: ['vinted.com', 'vinted.de', 'vinted.fr', 'vinted.co.uk'],
  vk: ['vk.com', 'vk.ru'],
  vsco: ['vsco.co'],
  wechat: ['wechat.com', 'weixin.qq.com'],
  whatsapp: ['whatsapp.com', 'wa.me'],
  wikipedia: ['wikipedia.org'],
  wordpress: ['wordpress.com', 'wordpress.org'],
  x: ['x.com', 'twitter.com', 't.co'],
  xiaohongshu: ['xiaohongshu.com', 'xhslink.com'],
  youtube: ['youtube.com', 'youtu.be', 'youtube-nocookie.com'],
  youtubemusic: ['music.youtube.com'],
  zoom: ['zoom.us'],
};

function hostsOf(service: BrandIcon): readonly string[] {
  return OTHER_HOSTS[service] ?? [`${service}.com`];
}

const SERVICE_BY_HOST = new Map(
  (Object.keys(BRAND_ICONS) as BrandIcon[]).flatMap((service) =>
    hostsOf(service).map((host) => [host, service] as const),
  ),
);

const CONTACT_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['mailto:', 'mail'],
  ['tel:', 'phone'],
  ['sms:', 'message-circle'],
  ['xmpp:', 'message-circle'],
  ['matrix:', 'matrix'],
  ['geo:', 'map-pin'],
]);

/**
 * Returns a brand icon for known services, or a generic one for contact and `/@user` URLs.
 */
export function serviceIcon(target: string): IconName | undefined {
  const { protocol, hostname, pathname } = new URL(target);
  const contactIcon = CONTACT_ICONS.get(protocol);
  if (contactIcon) return contactIcon;
  const [, firstSegment = ''] = pathname.split('/');
  // Stop before the top-level domain.
  for (let host = hostname; host.includes('.'); host = host.slice(host.indexOf('.') + 1)) {
    const name = SERVICE_BY_HOST.get(`${host}/${firstSegment}`) ?? SERVICE_BY_HOST.get(host);
    if (name) return name;
  }
  return /^\/@[\w.-]+(?:@[\w.-]+)?\/?$/.test(pathname) ? 'at-sign' : undefined;
}

export function serviceName(target: string): string | undefined {
  return BRAND_ICONS[serviceIcon(target) as BrandIcon];
}

/** Does not match subdomains. */
export function isServiceHost(service: BrandIcon, host: string): boolean {
  return hostsOf(service).includes(host);
}
