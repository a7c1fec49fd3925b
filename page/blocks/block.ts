import type { Fields } from '../fields.ts';
import type { Html } from '../html.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import type { Locale } from '../locale.ts';
import type { RenderMarkdown } from '../markdown.ts';
import type { PageLinks } from '../page-links.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import type { RenderQrCode } from '../qr-code.ts';

/** Context that the blocks of one page share. */
interface BlockContext extends RenderContext {
  renderMarkdown: RenderMarkdown;
  renderQrCode: RenderQrCode;
  locale: Locale;
  icons: PageIcons;
  links: PageLinks;
  /** Whether the words of a link start where those of a neighbour with an icon do. */
  isAligned: (link: Fields) => boolean;
}

/** Renders a block; undefined if it has nothing that can be shown. */
export type RenderBlock = (
  block: Fields,
  site: PublicSite,
  surroundings: BlockContext,
) => Html | undefined;
