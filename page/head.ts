import type { ProfilePage, WithContext } from 'schema-dts';
import { cutText, firstCharacter } from '#contract/shared/user-text.ts';
import { isEmoji } from './avatar-fallback.ts';
import { ownProfileUrls } from './blocks/links.ts';
import { eventOf } from './blocks/time.ts';
import { parsedTimeOf } from './fields/fields.ts';
import type { PageOptions } from './fields/options.ts';
import { type Html, html, trustedHtml } from './html/html.ts';
import { safeWebUrl } from './html/safe-url.ts';
import type { PublicSite, RenderContext } from './public-site.ts';

const MAX_DESCRIPTION_LENGTH = 200;

/** Falls back to the display name. */
export function titleOf(site: PublicSite): string {
  return site.display_name?.trim() || site.name;
}

/** For a sentence that ends with a name, which may end with a full stop, too, such as “e. V.”. */
export const withOneStop = (text: string): string => text.replace(/\.\.$/, '.');

function descriptionOf(site: PublicSite, { locale }: PageOptions): string {
  const bio = (site.bio ?? '').replace(/\s+/g, ' ').trim();
  if (bio === '') return withOneStop(locale.t('The page of {title}.', { title: titleOf(site) }));
  if (cutText(bio, MAX_DESCRIPTION_LENGTH) === bio) return bio;
  return `${cutText(bio, MAX_DESCRIPTION_LENGTH - 1).replace(/(?<!\s)\s+\S*$/, '')}…`;
}

interface Preview {
  cardVersion: string;
  /** Of the server. Without one, chat apps show the host. */
  siteName: string | undefined;
}

export function renderHeadTags(
  site: PublicSite,
  { url }: RenderContext,
  options: PageOptions,
  colors: { light: string; dark: string },
  preview: Preview,
): Html {
  const { isIndexable, fediverse } = options;
  const title = titleOf(site);
  const description = descriptionOf(site, options);
  return html`<title>${title}</title>
    <meta name="description" content="${description}" />
    <link rel="canonical" href="${url}" />
    ${!isIndexable && html`<meta name="robots" content="noindex" />`}
    ${fediverse && html`<meta name="fediverse:creator" content="@${fediverse.user}@${fediverse.host}" />`}
    <meta name="theme-color" content="${colors.light}" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="${colors.dark}" media="(prefers-color-scheme: dark)" />
    <link rel="icon" href="${favicon(site)}" />
    ${!site.isForMembers && renderTagsForPrograms(site, { ...preview, url, title, description })}`;
}

/** What other programs read or show, such as chat apps and feed readers. They are not signed in. */
function renderTagsForPrograms(
  site: PublicSite,
  {
    url,
    title,
    description,
    cardVersion,
    siteName,
  }: Preview & Record<'url' | 'title' | 'description', string>,
): Html {
  return html`<meta property="og:type" content="profile" />
    <meta property="og:url" content="${url}" />
    ${siteName && html`<meta property="og:site_name" content="${siteName}" />`}
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:image" content="${url}/card.png?v=${cardVersion}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="${title}" />
    <meta property="profile:username" content="${site.name}" />
    <meta name="twitter:card" content="summary_large_image" />
    <link rel="alternate" type="application/json" href="${url}/page.json" />
    <link rel="alternate" type="text/vcard" href="${url}/card.vcf" />
    ${
      site.blocks.some(eventOf) &&
      html`<link rel="alternate" type="text/calendar" href="${url}/events.ics" />`
    }
    ${
      site.blocks.some((block) => eventOf(block) ?? isScheduledLink(block)) &&
      html`<link rel="alternate" type="application/atom+xml" href="${url}/feed.xml" />`
    }
    <script type="application/ld+json">
      ${trustedHtml(structuredData(site, url))}
    </script>`;
}

/**
 * Returns a data URL with the mood if it is an emoji, otherwise with the first letter of the title.
 */
export function favicon(site: PublicSite): Html {
  const mood = site.mood?.trim() ?? '';
  const symbol = isEmoji(mood) ? mood : firstCharacter(titleOf(site)).toUpperCase();
  const text = encodeURIComponent(html`${symbol}`.toString());
  return trustedHtml(
    `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><text x='50' y='52' font-size='80' text-anchor='middle' dominant-baseline='central'>${text}</text></svg>`,
  );
}

/** The feed has it. */
function isScheduledLink(block: PublicSite['blocks'][number]): boolean {
  return block.type === 'link' && parsedTimeOf(block, 'from') !== undefined;
}

function structuredData(site: PublicSite, url: string): string {
  const sameAs = ownProfileUrls(site.blocks);
  const image = safeWebUrl(site.avatar_url);
  const data: WithContext<ProfilePage> = {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    mainEntity: {
      '@type': 'Person',
      name: titleOf(site),
      alternateName: site.name,
      identifier: site.name,
      url,
      ...(site.bio?.trim() && { description: site.bio.trim() }),
      ...(image && { image }),
      ...(site.location?.trim() && { homeLocation: { '@type': 'Place', name: site.location } }),
      ...(sameAs.length > 0 && { sameAs }),
    },
  };
  // Escape everything that could end the script element, and JavaScript line separators.
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
