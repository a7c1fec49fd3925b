import { type BlockKind, isBlockKind } from '#contract/shared/blocks.ts';
import { listFormat } from '#contract/shared/intl-formats.ts';
import { SITE_TEXTS } from '#contract/shared/site-fields.ts';
import { cutText } from '#contract/shared/user-text.ts';
import { t } from '#dashboard/translate.ts';
import { describeFields } from './site-fields.ts';

interface VersionChanges {
  changed: readonly string[];
  blocks: readonly { type: string; change: string; count: number }[];
}

interface VersionRow extends VersionChanges {
  version: number;
  created_at: string;
}

const JOINED_MS = 10 * 60_000;

/**
 * Leaves out versions that the next one replaced within minutes by changing the same fields. Each
 * row has the number of the version that it is compared with.
 */
export function joinVersions<Row extends VersionRow>(
  newestFirst: readonly Row[],
): (Row & { previous: number | undefined })[] {
  const joined: (Row & { previous: number | undefined })[] = [];
  for (let index = 0; index < newestFirst.length; index += 1) {
    const row = newestFirst[index]!;
    // The oldest version has nothing to be compared with.
    while (index + 2 < newestFirst.length && isContinued(newestFirst[index + 1]!, row)) index += 1;
    joined.push({ ...row, previous: newestFirst[index + 1]?.version });
  }
  return joined;
}

function isContinued(earlier: VersionRow, later: VersionRow): boolean {
  return (
    !earlier.changed.includes('blocks') &&
    String(earlier.changed) === String(later.changed) &&
    Date.parse(later.created_at) - Date.parse(earlier.created_at) < JOINED_MS
  );
}

/** Whether `findTextChange` can find something. */
export function changesText({ changed, blocks }: VersionChanges): boolean {
  return (
    changed.some((field) => field in SITE_TEXTS) ||
    blocks.some(({ change }) => change === 'changed')
  );
}

interface VersionContent {
  site: object;
  blocks: readonly Readonly<{ id: string }>[];
}

/** The first text that differs, cut to the words around the difference. */
export function findTextChange(
  before: VersionContent,
  after: VersionContent,
): { removed: string; added: string } | undefined {
  const earlierBlocks = new Map(before.blocks.map((block) => [block.id, block]));
  const textOf = (values: object, field: string) => (values as Record<string, unknown>)[field];
  const siteTexts = Object.keys(SITE_TEXTS).map((field) => [
    textOf(before.site, field),
    textOf(after.site, field),
  ]);
  const blockTexts = after.blocks.flatMap((block) => {
    const earlier = earlierBlocks.get(block.id);
    if (!earlier) return [];
    const fields = new Set([...Object.keys(earlier), ...Object.keys(block)]);
    return [...fields].map((field) => [textOf(earlier, field), textOf(block, field)]);
  });
  for (const texts of [...siteTexts, ...blockTexts]) {
    const [removed, added] = texts.map((text) => text ?? '');
    if (typeof removed === 'string' && typeof added === 'string' && removed !== added)
      return cutToDifference(removed, added);
  }
  return undefined;
}

const MAX_SHOWN_LETTERS = 60;

function cutToDifference(before: string, after: string) {
  const [from, to] = [before, after].map((text) => text.split(/(?<=\s)/)) as [string[], string[]];
  const shortest = Math.min(from.length, to.length);
  let start = 0;
  while (start < shortest && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shortest - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const cut = (words: string[]) => {
    const text = words
      .slice(start, words.length - end)
      .join('')
      .trim();
    if (text === '') return '';
    const shown = cutText(text, MAX_SHOWN_LETTERS);
    const rest = shown !== text ? '…' : end > 0 ? ' …' : '';
    return `${start > 0 ? '…' : ''}${shown}${rest}`;
  };
  return { removed: cut(from), added: cut(to) };
}

/** Describes a version: `2 links and 1 QR code added, bio changed`. */
export function describeChanges({ changed, blocks }: VersionChanges): string {
  const list = (change: string) =>
    listFormat(t.locale).format(
      blocks
        .filter((blockChange) => blockChange.change === change)
        .map(({ type, count }) => describeCount(type, count)),
    );
  const added = list('added');
  const edited = list('changed');
  const removed = list('removed');
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
