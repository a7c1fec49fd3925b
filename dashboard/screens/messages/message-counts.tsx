import { LIMITS } from '#contract/shared/limits.ts';
import { owner, type ResponseOf } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { type AsyncState, useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { t } from '#dashboard/translate.ts';
import { describeAudience, type Message } from './message-table.tsx';

type Request = Parameters<typeof owner.messages.createMessage>[0];

export type MessageDraft = Omit<Request, 'group_ids'> & {
  address: string | null;
  /** The chosen groups, if the audience is `groups`. */
  groups: Message['groups'];
  official: boolean;
};

export function toRequest({ groups, ...draft }: MessageDraft): Request {
  return { ...draft, group_ids: groups?.length ? groups.map(({ id }) => id) : null };
}
type Counts = ResponseOf<typeof owner.messages.previewMessage>;

export function useRecipientCounts(draft: MessageDraft): AsyncState<Counts> {
  const { audience, address, official, group_ids } = toRequest(draft);
  const counts = useAsync(
    () => owner.messages.previewMessage({ audience, address, official, group_ids }),
    [audience, address, official, group_ids?.join(' ')],
  );
  // The count changes when somebody joins or confirms an address.
  usePolling('background', counts.poll);
  return counts;
}

export function RecipientCounts({
  counts: { value, failure },
  draft,
}: {
  counts: AsyncState<Counts>;
  draft: MessageDraft;
}) {
  if (!value) return <>{failure ?? t('Counting…')}</>;
  return (
    <>
      <strong>
        {draft.audience === 'groups' && !draft.groups?.length
          ? t('Choose a group.')
          : describeRecipients(value)}
      </strong>{' '}
      {describeOthers(value, draft)}
    </>
  );
}

function describeRecipients({
  recipients: count,
  unsubscribed,
  unreachable: withoutAddress,
  outside: outsideReaders,
  suspended,
}: Counts): string {
  if (count + unsubscribed + withoutAddress + outsideReaders + suspended === 0)
    return t('There are no such members.');
  return t(
    '{count, plural, =0 {Will reach nobody} one {Will reach # mailbox} other {Will reach # mailboxes}}.',
    { count },
  );
}

function describeOthers(
  {
    unsubscribed,
    unreachable: withoutAddress,
    shared: sharingMailbox,
    outside: outsideReaders,
    suspended,
    invited,
  }: Counts,
  { address, official }: Pick<MessageDraft, 'address' | 'official'>,
): string {
  return [
    unsubscribed > 0 &&
      (official
        ? t(
            '{count, plural, one {# person has unsubscribed, but gets} other {# people have unsubscribed, but get}} this notice.',
            { count: unsubscribed },
          )
        : t('{count, plural, one {# person has} other {# people have}} unsubscribed.', {
            count: unsubscribed,
          })),
    withoutAddress > 0 &&
      t('{count, plural, one {# person has} other {# people have}} no confirmed address.', {
        count: withoutAddress,
      }),
    sharingMailbox > 0 &&
      t(
        '{count, plural, one {# person shares} other {# people share}} the mailbox of another one.',
        { count: sharingMailbox },
      ),
    suspended > 0 &&
      t('{count, plural, one {# person is} other {# people are}} suspended.', { count: suspended }),
    invited > 0 &&
      t(
        '{count, plural, one {# invited person has not joined yet, and gets} other {# invited people have not joined yet, and get}} nothing.',
        { count: invited },
      ),
    outsideReaders > 0 &&
      t(
        '{count, plural, one {# person reads} other {# people read}} {address} from outside, without this message. An email to {address} reaches everybody.',
        { count: outsideReaders, address: `${address}@` },
      ),
  ]
    .filter(Boolean)
    .join(' ');
}

export function confirmSending(draft: MessageDraft, counts: Counts): Promise<boolean> {
  const { recipients: count, remaining } = counts;
  const { subject, official } = draft;
  return confirm({
    title: t('Send “{subject}”?', { subject }),
    text: (
      <>
        {t('mail|To')}: {describeAudience(draft)}.
        <br />
        <strong>{describeRecipients(counts)}</strong> {describeOthers(counts, draft)}
        <br />
        {t('You can stop what has not been sent yet, but no mail can be called back.')}{' '}
        {remaining === 1 &&
          t('It is the last of {count} messages to these people within 24 hours.', {
            count: LIMITS.messagesPerDay,
          })}{' '}
        {official &&
          t('The next official notice to the same people can be sent in {days} days.', {
            days: LIMITS.officialNoticeDays,
          })}
      </>
    ),
    action: t('Send {count, plural, one {# mail} other {# mails}}', { count }),
    isDangerous: false,
  });
}
