import { dateTimeFormat } from '#contract/shared/intl-formats.ts';
import { shortenText } from '#contract/shared/user-text.ts';
import { displayUrl } from '#contract/shared/web-url.ts';
import type { Translator } from '#translations/translator.ts';

const MAX_LINK_LENGTH = 60;

/** Days in UTC, the last one included. */
export interface Week {
  since: string;
  until: string;
}

interface Entry {
  value: string;
  count: number;
}

export interface WeekSummary extends Week {
  views: number;
  clicks: number;
  top_link: Entry | null;
  top_referrer: Entry | null;
  messages: number;
}

export interface ServerWeekSummary extends Week {
  joined: number;
  left: number;
  reports: number;
  failed_backups: number;
  last_backup_at: string | null;
}

/** What a test of a connection has that carries summaries. */
export interface SummariesSoFar {
  week_summary?: WeekSummary;
  server_week_summary?: ServerWeekSummary;
}

export function describeTest(
  t: Translator,
  { week_summary: week, server_week_summary: serverWeek }: SummariesSoFar,
): string {
  if (!week && !serverWeek) return t('Test');
  return [
    t('Test with the numbers since the last Monday'),
    ...(week ? [describeWeek(t, week)] : []),
    ...(serverWeek ? [describeServerWeek(t, serverWeek)] : []),
  ].join('. ');
}

export function describeWeek(t: Translator, summary: WeekSummary): string {
  const { views, clicks, messages, top_link, top_referrer } = summary;
  const period = formatWeek(t, summary);
  if (views + clicks + messages === 0)
    return t('No views, clicks or messages were counted in the week {period}', { period });
  const sentences = [
    t(
      'Your week, {period}: {views, plural, =0 {no views} one {# view} other {# views}}, {clicks, plural, =0 {no clicks} one {# click} other {# clicks}}, {messages, plural, =0 {no messages} one {# message} other {# messages}}',
      { period, views, clicks, messages },
    ),
  ];
  if (top_link) {
    const link = shortenText(displayUrl(top_link.value), MAX_LINK_LENGTH);
    sentences.push(t('Most clicked: {link} ({count, number})', { link, count: top_link.count }));
  }
  if (top_referrer)
    sentences.push(
      t('Most views came from {referrer} ({count, number})', {
        referrer: top_referrer.value,
        count: top_referrer.count,
      }),
    );
  return sentences.join('. ');
}

export function describeServerWeek(t: Translator, summary: ServerWeekSummary): string {
  const { joined, left, reports, failed_backups: failed, last_backup_at: lastBackup } = summary;
  const period = formatWeek(t, summary);
  if (joined + left + reports + failed === 0)
    return t(
      'Nobody joined or left in the week {period}, no page was reported and no backup failed',
      { period },
    );
  return [
    t(
      'The week of the server, {period}: {joined, plural, =0 {nobody joined} one {# member joined} other {# members joined}}, {left, plural, =0 {nobody left} one {# member left} other {# members left}}, {reports, plural, =0 {no new reports} one {# new report} other {# new reports}}, {failed, plural, =0 {no backup failed} one {backups failed on # day} other {backups failed on # days}}',
      { period, joined, left, reports, failed },
    ),
    ...(lastBackup === null
      ? []
      : [t('Last backup: {day}', { day: dayFormat(t).format(new Date(lastBackup)) })]),
  ].join('. ');
}

function formatWeek(t: Translator, { since, until }: Week): string {
  return dayFormat(t).formatRange(new Date(since), new Date(until));
}

function dayFormat(t: Translator): Intl.DateTimeFormat {
  const locale = t.locale === 'en' ? 'en-GB' : t.locale;
  return dateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
}
