import { optionsOf } from './options.ts';
import type { PublicSite, Showing } from './public-site.ts';
import { webTarget } from './target.ts';

/** WebFinger document (RFC 7033) of the account that a site belongs to. */
export function webfinger(site: PublicSite, { url }: Showing): string {
  const { fediverse } = optionsOf(site);
  const avatar = webTarget(site.avatarUrl);
  return JSON.stringify({
    subject: `acct:${site.name}@${new URL(url).host}`,
    aliases: [url],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: url },
      ...(avatar ? [{ rel: 'http://webfinger.net/rel/avatar', href: avatar }] : []),
      ...(fediverse
        ? [
            {
              rel: 'self',
              type: 'application/activity+json',
              href: `https://${fediverse.host}/users/${encodeURIComponent(fediverse.user)}`,
            },
          ]
        : []),
    ],
  });
}
