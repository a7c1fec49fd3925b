import type { Block } from '#contract/block.ts';
import type { Fields } from '../fields/fields.ts';
import type { Html } from '../html/html.ts';
import type { RenderMarkdown } from '../html/markdown.ts';
import type { PageIcons } from '../icons/page-icons.ts';
import type { Locale } from '../locale.ts';
import type { PageLinks } from '../page-links.ts';
import type { PictureRows } from '../picture-rows.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import type { RenderQrCode } from '../qr-code.ts';

interface BlockContext extends RenderContext {
  renderMarkdown: RenderMarkdown;
  renderQrCode: RenderQrCode;
  locale: Locale;
  icons: PageIcons;
  links: PageLinks;
  pictureRows: PictureRows;
  /** Links whose text is indented to align with neighbors that have icons. */
  alignedLinks: ReadonlySet<Fields>;
  /** Whether links show their host, in designs that have room for it. */
  showsHost: boolean;
  /** The event that is first to come. */
  nextEvent: Block | undefined;
  /** If the page has no other. */
  onlyEvent: Block | undefined;
}

/** Returns undefined if the block has nothing to show. */
export type RenderBlock = (
  block: Fields,
  site: PublicSite,
  context: BlockContext,
) => Html | undefined;
