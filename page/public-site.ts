import type { Block } from '#contract/block.ts';
import type { CustomTheme } from '#contract/custom-theme.ts';
import type { PageSettings } from '#contract/page-settings-block.ts';
import type { PageNumber } from './page-number.ts';

/** Public part of a visible site, with what it is shown with. */
export interface PublicSite {
  /** The display name of its account. */
  name: string;
  /** The site's own title. */
  title: string | null;
  bio: string | null;
  avatarUrl: string | null;
  location: string | null;
  mood: string | null;
  themeId: string | null;
  customTheme: CustomTheme | null;
  settings: PageSettings | null;
  /** The blocks that are enabled, in display order. */
  blocks: readonly Block[];
  /** Whether it has more than these. */
  isTruncated: boolean;
  /** The forwarding address, while mail to it goes somewhere. */
  mailAddress: string | undefined;
  /** Whether its account is so new that search engines do not list the page yet. */
  isNew: boolean;
  /** The numbers of its blocks, by their ids. */
  pageNumbers: ReadonlyMap<string, PageNumber>;
}

/** Where and when a page is shown. */
export interface RenderContext {
  /** Its canonical address. */
  url: string;
  now: Date;
  /** Whether another page shows it in a frame: its links then open beside that page. */
  isFramed?: boolean;
  /** Path that its links send clicks to; undefined if they are not counted. */
  clickPath?: string | undefined;
}
