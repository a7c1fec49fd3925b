import { uuid } from '../../../client/src/uuid.ts';
import { withDesign } from './designs.ts';
import type { Block, Site } from './site.ts';
import type { Template } from './templates.ts';

/** Details of a profile that a proposal fills in. */
export type ProfileDetails = Pick<Site, 'display_name' | 'bio' | 'avatar_url'>;

/** The site with the blocks and the theme of a template. The profile keeps what its owner wrote. */
export function withTemplate(
  site: Site,
  { theme, site: proposed, blocks }: Template,
  themes: readonly { id: string; name: string }[],
): Site {
  const preset = themes.find(({ name }) => name === theme)?.id ?? null;
  const added = blocks.map((block) => ({ ...block, id: uuid(), enabled: true }));
  return {
    ...site,
    display_name: site.display_name || proposed.display_name,
    bio: site.bio || proposed.bio,
    location: site.location || proposed.location,
    mood: site.mood || proposed.mood,
    theme_id: preset,
    custom_theme: preset === null ? null : site.custom_theme,
    settings: withDesign(site.settings),
    blocks: added,
  };
}

/** The site with what was chosen of another page; its links come after the blocks that are there. */
export function withImported(
  site: Site,
  details: Partial<ProfileDetails>,
  blocks: readonly Block[],
): Site {
  return { ...site, ...details, blocks: [...site.blocks, ...blocks] };
}
