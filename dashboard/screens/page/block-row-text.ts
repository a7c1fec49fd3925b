import { BRAND_ICONS, type BrandIcon } from '#contract/shared/icons.ts';
import { dateTimeFormat } from '#contract/shared/intl-formats.ts';
import { pictureSource } from '#contract/shared/pictures.ts';
import { displayUrl, isWebUrl } from '#contract/shared/web-url.ts';
import { t } from '#dashboard/translate.ts';
import { parsedTimeOf, textOf } from '#page/fields/fields.ts';
import { linkIcon } from '#page/icons/link-icon.ts';
import { summaryOf, titleOfKind } from './kinds.ts';
import type { Block } from './site.ts';
import { activeUrlPath, blockError, missingLabels } from './validation.ts';
import { withScheme } from './web-address.ts';
import { isDate, nextDatesOf, toFieldTime } from './zoned-time.ts';

export interface BlockRowText {
  title: string;
  note: string;
  picture: string | undefined;
  brand: BrandIcon | undefined;
  pill: { text: string; variant: 'good' | 'warn' | '' } | undefined;
}

/** In UTC for dates without a time, and for local times, which are parsed as UTC. */
const formatDate = (time: Date, isUtc: boolean, options?: Intl.DateTimeFormatOptions) =>
  dateTimeFormat(t.locale, {
    day: 'numeric',
    month: 'short',
    ...(isUtc && { timeZone: 'UTC' }),
    ...options,
  }).format(time);

export function blockRowText(block: Block, now = new Date()): BlockRowText {
  const kind = titleOfKind(block.type);
  const labels = missingLabels(block);
  const missing = labels.length > 0 ? t('Missing: {fields}', { fields: labels.join(', ') }) : '';
  const summary = summaryOf(block);
  const pictureAndPill = {
    pill: pillOf(block, now),
    picture: pictureOf(block),
    brand: brandOf(block),
  };
  if (block.type === 'gallery') {
    const count = itemsOf(block).length;
    const note = count > 0 && t('{count, plural, one {# picture} other {# pictures}}', { count });
    return { title: kind, note: note || missing, ...pictureAndPill };
  }
  // A list block without a title shows its items below the name of its kind.
  if (Array.isArray(block['items']) && !block['title'])
    return { title: kind, note: summary || missing, ...pictureAndPill };
  const address = block.url ? displayUrl(block.url) : '';
  const title = summary === block.url ? address : summary;
  // A link shows its title and its address. Other blocks show the address only as a title.
  const date = dateOf(block, now);
  if (!title) return { title: kind, note: missing || date, ...pictureAndPill };
  const kindOrAddress = (block.type === 'link' && title !== address && address) || kind;
  const note = missing || [kindOrAddress, date].filter(Boolean).join(' · ');
  return { title, note, ...pictureAndPill };
}

/** The start of an event or countdown, or its next date, in its time zone, with the year unless it is this year. */
function dateOf(block: Block, now: Date): string {
  const time = toFieldTime(block, block['starts_at'] ?? block['ends_at']);
  if (!time) return '';
  const isDay = isDate(time);
  const [date = new Date(isDay ? time : `${time}Z`)] = nextDatesOf(block, now, 1) ?? [];
  const isThisYear = now.getUTCFullYear() === date.getUTCFullYear();
  return formatDate(date, true, {
    year: isThisYear ? undefined : 'numeric',
    ...(!isDay && { hour: 'numeric', minute: '2-digit' }),
  });
}

function itemsOf(block: Block): readonly { url?: string }[] {
  return Array.isArray(block['items']) ? block['items'] : [];
}

function pictureOf(block: Block): string | undefined {
  const { type, url } = block.type === 'gallery' ? { type: 'image', ...itemsOf(block)[0] } : block;
  const { picture = type === 'image' ? url : undefined } = block as { picture?: unknown };
  return typeof picture === 'string' && isWebUrl(picture) ? pictureSource(picture, 96) : undefined;
}

/** The service that the block leads to. If it has several social links, the first known one. */
function brandOf(block: Block): BrandIcon | undefined {
  const links = block.type === 'social' ? itemsOf(block) : [block];
  return links
    .map(({ url = '', ...fields }) => {
      const address = withScheme(url);
      const icon = URL.canParse(address)
        ? linkIcon(fields, address, textOf(fields, 'title', 'label'))
        : '';
      return Object.keys(BRAND_ICONS).find((name): name is BrandIcon => name === icon);
    })
    .find(Boolean);
}

function pillOf(block: Block, now: Date): BlockRowText['pill'] {
  if (block.id !== activeUrlPath.value && blockError(block))
    return { text: t('Not finished'), variant: 'warn' };
  const from = parsedTimeOf(block, 'from');
  const until = parsedTimeOf(block, 'until');
  if (until && until.end <= now) return { text: t('Ended'), variant: '' };
  if (from && from.time > now) {
    const date = formatDate(from.time, !from.hasTimeOfDay);
    return { text: t('From {date}', { date }), variant: '' };
  }
  return block['featured'] === true ? { text: t('Featured'), variant: 'good' } : undefined;
}
