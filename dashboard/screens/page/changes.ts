import { type BlockKind, isBlockKind } from '#contract/shared/blocks.ts';
import { t } from '#dashboard/translate.ts';
import { describeFields } from './site-fields.ts';

interface VersionChanges {
  changed: readonly string[];
  blocks: readonly { type: string; change: string; count: number }[];
}

/** Describes a version: `2 links and 1 QR code added, bio changed`. */
export function describeChanges({ changed, blocks }: VersionChanges): string {
  const list = (change: string) =>
    new Intl.ListFormat(t.locale).format(
      blocks
        .filter((blockChange) => blockChange.change === change)
        .map(({ type, count }) => describeCount(type, count)),
    );
  const [added, edited, removed] = [list('added'), list('changed'), list('removed')];
  const fields = describeFields(changed.filter((field) => field !== 'blocks'));
  const phrases = [
    added && t('{list} added', { list: added }),
    edited && t('{list} changed', { list: edited }),
    removed && t('{list} removed', { list: removed }),
    changed.includes('blocks') && blocks.length === 0 && t('blocks moved'),
    fields && t('{list} changed', { list: fields }),
  ];
  const sentence = phrases.filter(Boolean).join(', ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function describeCount(type: string, count: number): string {
  if (isBlockKind(type)) return COUNTS_BY_KIND[type](count);
  return t('{count, plural, one {# {type} block} other {# {type} blocks}}', { count, type });
}

const COUNTS_BY_KIND: Readonly<Record<BlockKind, (count: number) => string>> = {
  link: (count) => t('{count, plural, one {# link} other {# links}}', { count }),
  text: (count) => t('{count, plural, one {# text} other {# texts}}', { count }),
  heading: (count) => t('{count, plural, one {# heading} other {# headings}}', { count }),
  social: (count) =>
    t('{count, plural, one {# social links block} other {# social links blocks}}', { count }),
  image: (count) => t('{count, plural, one {# image} other {# images}}', { count }),
  gallery: (count) => t('{count, plural, one {# gallery} other {# galleries}}', { count }),
  contact: (count) =>
    t('{count, plural, one {# contact block} other {# contact blocks}}', { count }),
  contact_form: (count) =>
    t('{count, plural, one {# contact form} other {# contact forms}}', { count }),
  metric: (count) => t('{count, plural, one {# metric} other {# metrics}}', { count }),
  event: (count) => t('block|{count, plural, one {# event} other {# events}}', { count }),
  countdown: (count) => t('{count, plural, one {# countdown} other {# countdowns}}', { count }),
  quote: (count) => t('{count, plural, one {# quote} other {# quotes}}', { count }),
  faq: (count) =>
    t('{count, plural, one {# questions block} other {# questions blocks}}', { count }),
  code: (count) => t('{count, plural, one {# code block} other {# code blocks}}', { count }),
  key: (count) => t('{count, plural, one {# public key} other {# public keys}}', { count }),
  embed: (count) =>
    t('{count, plural, one {# video, audio or map block} other {# video, audio or map blocks}}', {
      count,
    }),
  qr: (count) => t('{count, plural, one {# QR code} other {# QR codes}}', { count }),
  divider: (count) => t('{count, plural, one {# divider} other {# dividers}}', { count }),
};
