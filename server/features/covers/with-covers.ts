import type { Block } from '#contract/block.ts';
import { picturePath } from '#contract/shared/pictures.ts';
import type { PageCovers } from '#db/queries/public-sites.ts';

/**
 * Adds the stored cover to embeds, and to links that show a large picture and have none. Blocks
 * without a title get that of the service.
 */
export function withCovers(blocks: readonly Block[], covers: PageCovers, origin: string): Block[] {
  return blocks.map((block) => {
    if (block.type !== 'embed' && block.type !== 'link') return block;
    const { title, picture_id: id } = covers?.[block.url ?? ''] ?? {};
    const cover = id ? `${origin}${picturePath(id)}` : undefined;
    const hasTitle = ['title', 'label', 'content'].some((name) => block[name]);
    const isLarge =
      block['featured'] === true || block['size'] === 'third' || block['size'] === 'half';
    return {
      ...block,
      ...(title && !hasTitle && { title }),
      ...(block.type === 'embed' && { cover }),
      ...(block.type === 'link' && cover && isLarge && !block['picture'] && { picture: cover }),
    };
  });
}
