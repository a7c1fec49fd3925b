import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { readerName } from '#dashboard/display-name.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { currentAccountId } from '#dashboard/session.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { describeRefusal } from '../invitations/invitation-table.tsx';
import './messages.css';

export type Message = ResponseOf<typeof owner.messages.listMessages>['messages'][number];
type MessageRecipient = ResponseOf<
  typeof owner.messages.listMessageRecipients
>['recipients'][number];

export type Audience = Message['audience'];
export const AUDIENCES: readonly (readonly [value: Audience, label: string])[] = [
  ['all', t('All members')],
  ['no_page', t('Members without a published page')],
  ['unseen', t('Members not seen for six months')],
  ['groups', t('Members of groups')],
  ['self', t('Only you, as a test')],
];

/** `address` is a group address, without its domain. */
export function describeAudience({
  audience,
  address,
  groups,
}: Pick<Message, 'audience' | 'address' | 'groups'>): string {
  if (groups?.length)
    return t('Members of {groups}', { groups: formatList(groups.map(({ name }) => name)) });
  if (address !== null) return t('Members who read {address}', { address: `${address}@` });
  return new Map(AUDIENCES).get(audience) ?? audience;
}

export function MessageTable({
  messages,
  ...actions
}: {
  messages: readonly Message[];
} & Omit<Parameters<typeof Actions>[0], 'entry'>) {
  return (
    <Table
      caption={t('Sent messages')}
      rows={messages}
      rowKey={({ id }) => id}
      columns={[
        { title: t('Subject'), cell: (message) => <Summary {...message} /> },
        { title: t('Mails'), cell: (message) => <Progress {...message} /> },
      ]}
      actions={(message) => <Actions entry={message} {...actions} />}
    />
  );
}

function Actions({
  entry,
  onAgain,
  onChange,
}: {
  entry: Message;
  /** Missing while another message is being written. */
  onAgain: ((entry: Message) => void) | undefined;
  onChange: () => void;
}) {
  const { subject: label, waiting } = entry;
  const open = () => void showDialog(label, () => <Details {...entry} />);
  return (
    <div class="row">
      <button type="button" class="quiet" onClick={open}>
        {t.rich('Show<hidden> {label}</hidden>', { label, hidden: visuallyHidden })}
      </button>
      {onAgain && waiting === 0 && (
        <button type="button" class="quiet" onClick={() => onAgain(entry)}>
          {t.rich('Write again<hidden> {label}</hidden>', { label, hidden: visuallyHidden })}
        </button>
      )}
      {waiting > 0 && (
        <button type="button" class="quiet" onClick={() => void stop(entry, onChange)}>
          {t.rich('Stop<hidden> {label}</hidden>', { label, hidden: visuallyHidden })}
        </button>
      )}
    </div>
  );
}

function Summary({ official, subject, created_at, ...audience }: Message) {
  return (
    <>
      <span class="strong">{subject}</span>
      <div class="hint">
        {official && `${t('Official notice')} · `}
        {describeAudience(audience)} · <TimeAgo time={created_at} />
      </div>
    </>
  );
}

function Progress({ waiting, sent, failed, skipped }: Message) {
  const parts = [
    ['pill good', sent, t('{count, number} sent', { count: sent })],
    ['pill', waiting, t('{count, number} waiting', { count: waiting })],
    ['pill bad', failed, t('{count, number} failed', { count: failed })],
    [
      'pill',
      skipped,
      t('{count, plural, one {# not reached} other {# not reached}}', { count: skipped }),
    ],
  ] as const;
  return (
    <span class="row">
      {parts.map(([look, count, label]) => count > 0 && <span class={look}>{label}</span>)}
    </span>
  );
}

async function stop({ id: message_id, waiting: count }: Message, onDone: () => void) {
  const isConfirmed = await confirm({
    title: t('Stop the message?'),
    text: t('{count, plural, one {# mail is} other {# mails are}} not sent then.', { count }),
    action: t('Stop'),
  });
  if (!isConfirmed) return;
  if (await withErrorMessage(owner.messages.cancelMessage({ message_id }))) onDone();
}

function Details({ id: message_id, text, address }: Message) {
  const list = useBatches(
    (cursor) => owner.messages.listMessageRecipients({ message_id, ...cursor }),
    ({ recipients }) => recipients,
  );
  const isSending = list.rows.some(({ state }) => state === 'waiting');
  usePolling(isSending && list.batches.length < 2 ? 'progress' : undefined, list.loaded.poll);
  return (
    <>
      <div class="message-body">
        {text.split(/\r?\n/).map((line, index) => (
          <div key={index}>{line || <br />}</div>
        ))}
      </div>
      <h3>{t('Who got it')}</h3>
      <BatchList list={list}>
        {(recipients) => (
          <ul class="row-list">
            {recipients.map((recipient) => (
              <li key={recipient.id} class="row between">
                <RecipientName {...recipient} />
                <span class="hint">{describeState(recipient, address)}</span>
              </li>
            ))}
          </ul>
        )}
      </BatchList>
    </>
  );
}

function RecipientName({ account_id: id, email, state, ...member }: MessageRecipient) {
  if (id !== null)
    return (
      <a href={dashboardHref(`operator/members/${id}`)}>
        {id === currentAccountId.value ? t('You') : readerName({ ...member, email })}
      </a>
    );
  return <span>{email ?? (state === 'outside' ? t('Removed reader') : t('Deleted account'))}</span>;
}

function describeState({ state, error }: MessageRecipient, address: string | null): string {
  switch (state) {
    case 'sent':
      return t('Sent');
    case 'waiting':
      return error === null ? t('Waiting') : t('Will be tried again ({error}).', { error });
    case 'failed':
      return describeRefusal(error);
    case 'unsubscribed':
      return t('Not sent: unsubscribed.');
    case 'unreachable':
      return t('Not sent: no confirmed address.');
    case 'shared':
      return t('Sent to the mailbox that they share.');
    case 'outside':
      return t('Not sent: reads {address} from outside.', { address: `${address}@` });
    default:
      return t('Not sent');
  }
}
