import { joinSettings } from '../../../contract/settings-block.ts';
import { shownBlock } from './blocks/index.ts';
import { titleOf } from './head.ts';
import type { PublicSite, Showing } from './public-site.ts';

/** Page as JSON: nothing that the page does not show. */
export function pageJson(site: PublicSite, { url }: Showing): string {
  const { name, bio, avatarUrl, location, mood, figures } = site;
  return JSON.stringify({
    name,
    url,
    title: titleOf(site),
    bio,
    avatar_url: avatarUrl,
    location,
    mood,
    blocks: joinSettings(site).map((block) => ({ ...shownBlock(block), ...figures.get(block.id) })),
  });
}
