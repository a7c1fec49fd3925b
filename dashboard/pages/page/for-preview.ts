import type { Site } from './draft.ts';

const COLOUR = /^#[0-9a-f]{6}$/i;

/** A change without what is still being typed: half an address is no reason to show nothing. */
export function forPreview({
  avatar_url,
  custom_theme,
  blocks,
  ...rest
}: Partial<Site>): Partial<Site> {
  return {
    ...rest,
    ...(avatar_url !== undefined && (avatar_url === null || isWhole(avatar_url)) && { avatar_url }),
    ...(custom_theme !== undefined && { custom_theme: custom_theme && wholeColours(custom_theme) }),
    ...(blocks && {
      blocks: blocks.flatMap(({ url, ...block }) => {
        if (url !== undefined && isWhole(url)) return [{ ...block, url }];
        return block.type === 'link' ? [] : [block];
      }) as Site['blocks'],
    }),
  };
}

/** Colours of one's own, those of them that are colours. */
export function wholeColours<Custom extends object>(custom: Custom): Custom {
  return Object.fromEntries(
    Object.entries(custom).filter(
      ([name, value]) => !name.endsWith('_color') || COLOUR.test(String(value)),
    ),
  ) as Custom;
}

function isWhole(address: string): boolean {
  return /^(?:https?:\/\/[^\s/]|mailto:.|tel:.)/i.test(address) && URL.canParse(address);
}
