import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { describeRefusal } from './invitation-table.tsx';
import { memberName } from './labels.ts';

type Message = ResponseOf<typeof owner.messages.listMessages>['messages'][number];

export type Audience = Message['audience'];
export const AUDIENCES: readonly (readonly [value: Audience, label: string])[] = [
  ['all', t('All members')],
  ['no_page', t('Members without a published page')],
  ['unseen', t('Members not seen for six months')],
  ['self', t('Only you, as a test')],
];

export function describeReaders(address: string): string {
  return t('Members who read {address}', { address });
}

export function MessageTable({
  messages,
  onChange,
}: {
  messages: readonly Message[];
  onChange: () => void;
}) {
  return (
    <Table
      caption={t('Sent messages')}
      rows={messages}
      keyOf={({ id }) => id}
      columns={[
        { title: t('Subject'), cell: (message) => <Summary {...message} /> },
        { title: t('Mails'), cell: (message) => <Progress {...message} /> },
        {
          title: t('Action'),
          isTitleHidden: true,
          cell: (message) => <Actions entry={message} onChange={onChange} />,
        },
      ]}
    />
  );
}

function Actions({ entry, onChange }: { entry: Message; onChange: () => void }) {
  const { subject: label, waiting } = entry;
  const open = () => void showDialog(label, () => <Details {...entry} />);
  return (
    <div class="row member-actions">
      <button type="button" class="quiet" onClick={open}>
        {t.rich('Show<hidden> {label}</hidden>', { label, hidden: visuallyHidden })}
      </button>
      {waiting > 0 && (
        <button type="button" class="quiet" onClick={() => void stop(entry, onChange)}>
          {t.rich('Stop<hidden> {label}</hidden>', { label, hidden: visuallyHidden })}
        </button>
      )}
    </div>
  );
}

function Summary({ audience, address, subject, created_at }: Message) {
  return (
    <>
      <span class="strong">{subject}</span>
      <div class="hint">
        {address === null ? new Map(AUDIENCES).get(audience) : describeReaders(address)} ·{' '}
        <TimeAgo time={created_at} />
      </div>
    </>
  );
}

function Progress({ waiting, sent, failed, skipped }: Message) {
  const parts = [
    ['pill good', sent, t('{count, number} sent', { count: sent })],
    ['pill', waiting, t('{count, number} waiting', { count: waiting })],
    ['pill bad', failed, t('{count, number} failed', { count: failed })],
    ['pill', skipped, t('{count, number} not sent', { count: skipped })],
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

function Details(message: Message) {
  const { text, failures } = message;
  return (
    <>
      <Progress {...message} />
      <ul class="row-list">
        {failures.map(({ account_id: id, display_name, state, error }) => (
          <li key={id}>
            <a href={dashboardHref(`operator/members/${id}`)}>{memberName({ id, display_name })}</a>
            <p class="hint">
              {state === 'failed'
                ? describeRefusal(error)
                : t('Is tried again ({error}).', { error })}
            </p>
          </li>
        ))}
      </ul>
      <div class="mail-body">
        {text.split(/\r?\n/).map((line, index) => (
          <div key={index}>{line || <br />}</div>
        ))}
      </div>
    </>
  );
}
