import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { t } from '#dashboard/translate.ts';
import type { Bind, Instance, InstanceDraft } from './instance-draft.ts';

/** The same day as in the mail. */
const dateFormat = new Intl.DateTimeFormat(t.locale, { dateStyle: 'long', timeZone: 'UTC' });

export function DirectoryField({ bind }: { bind: Bind }) {
  return (
    <Field
      {...bind('directory')}
      label={t('List of members')}
      hint={t('At /members, from A to Z.')}
      options={[
        ['off', t('directory|Off')],
        ['members', t('directory|For members')],
        ['everybody', t('directory|For everybody')],
      ]}
    />
  );
}

export function ListingField({ bind, isAvailable }: { bind: Bind; isAvailable: boolean }) {
  const field = bind('listing');
  return (
    <Field
      {...field}
      label={t('Who is in it')}
      hint={
        <>
          {field.value === 'agreed'
            ? t('Those who show their page on the front page.')
            : t(
                'Each member gets a mail once their page is published, and is listed {days} days later unless they object. If you change who sees the list, this starts again.',
                { days: LIMITS.listingDays },
              )}{' '}
          {!isAvailable &&
            t('Everybody can be listed only if sign-up is not open and the server sends mail.')}
        </>
      }
      options={[
        ['agreed', t('listing|Those who agree')],
        ['unless_objected', t('listing|Everybody who does not object'), !isAvailable],
      ]}
    />
  );
}

/** Undefined if the changes mail nobody. */
export async function describeListingMails(
  { directory, listing }: InstanceDraft,
  changes: Partial<Instance>,
): Promise<string | undefined> {
  const isChanged = 'directory' in changes || 'listing' in changes;
  if (!isChanged || directory === 'off' || listing !== 'unless_objected') return undefined;
  const { undecided_members: count } = await owner.server.getInstance();
  if (!count) return undefined;
  const date = dateFormat.format(new Date(Date.now() + LIMITS.listingDays * DAY_MS));
  return t(
    '{count, plural, one {# member gets a mail within an hour, and is listed from {date} on unless they object.} other {# members get a mail within an hour, and are listed from {date} on unless they object.}}',
    { count, date },
  );
}

export function confirmListingMails(text: string): Promise<boolean> {
  return confirm({
    title: t('Send mails about the list?'),
    text,
    action: t('Save and send'),
    isDangerous: false,
  });
}
