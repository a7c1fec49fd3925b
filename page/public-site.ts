import type { Block } from '#contract/block.ts';
import type { FontPairName } from '#contract/shared/fonts.ts';
import type { PageSettings } from '#contract/shared/page-settings-block.ts';
import type { SiteDetails } from '#contract/site.ts';
import type { FormAnswer } from './fields/form-fields.ts';
import type { PageMetric } from './page-metric.ts';

export interface ThemeSettings {
  fonts: FontPairName;
  backgroundPicture: string | undefined;
  /** As in CSS. */
  backgroundFocus: string | null;
}

/** The public data of a site, as the renderer needs it. */
export interface PublicSite extends SiteDetails {
  /** Display name of the account. */
  name: string;
  settings: PageSettings | null;
  /** What the theme of the club sets unless the owner does. */
  themeSettings?: ThemeSettings | undefined;
  /** Enabled blocks, in display order. */
  blocks: readonly Block[];
  /** Whether blocks are left out because the site is too large. */
  isTruncated: boolean;
  /** Forwarding address. Undefined unless forwarding is active. */
  mailAddress: string | undefined;
  /** Whether the owner can get messages from a `contact_form`. */
  takesMessages: boolean;
  /** Whether the account is too new to be listed by search engines (`noindexDays`). */
  isNew: boolean;
  /** Whether only people who are signed in see the page: nothing else may read it. */
  isForMembers?: boolean;
  /** When the owner last changed each block, by block id. Empty in previews. */
  changedAt: ReadonlyMap<string, Date>;
  /** By block id. */
  pageMetrics: ReadonlyMap<string, PageMetric>;
}

/** What a visitor typed into the form. */
interface MessageValues {
  name: string;
  email: string;
  message: string;
  answers: readonly FormAnswer[];
}

export interface MessageResponse {
  /** The id of the form's block. */
  form: string;
  values: MessageValues;
  /** Why the message was not sent: a field, or `limit` for too many messages. */
  problem?: 'email' | 'message' | 'limit' | { label: string; isMissing: boolean } | undefined;
}

export interface RenderContext {
  /** Canonical URL of the page. */
  url: string;
  now: Date;
  /** Whether the page is shown in an iframe. If so, its links open in a new tab. */
  isFramed?: boolean;
  /** Path for click pings. Undefined if clicks are not counted. */
  pingPath?: string | undefined;
  /** Shown instead of the page, as the response to a message. */
  messageResponse?: MessageResponse | undefined;
}
