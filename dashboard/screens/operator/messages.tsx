import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage } from '#dashboard/components/messages.tsx';
import { PostedPreview } from '#dashboard/components/posted-preview.tsx';
import '#dashboard/components/posted-preview.css';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { instance } from '#dashboard/instance.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { MEMBERS_SCREEN } from './labels.ts';
import { type Audience, AUDIENCES, describeReaders, MessageTable } from './message-table.tsx';

interface Recipients {
  audience: Audience;
  /** Name of a group address, for its readers. */
  address: string | null;
}

const SENDING_POLL_MS = 2_000;
const POLL_MS = 20_000;
const MAILS_PER_MINUTE = 30;

const ALL: Recipients = { audience: 'all', address: null };
const EMPTY = { ...ALL, subject: '', text: '' };
/** Kept in the module, so that it survives navigation to other screens. */
const draft = signal(EMPTY);

export function WriteToMembers() {
  const list = useBatches(
    (cursor) => owner.messages.listMessages(cursor),
    ({ messages }) => messages,
  );
  const { loaded, rows } = list;
  const isSending = rows.some(({ waiting }) => waiting > 0);
  // A reload drops the batches that “Show more” has added.
  usePolling(list.batches.length < 2, loaded.reload, isSending ? SENDING_POLL_MS : POLL_MS);
  return (
    <>
      <ScreenHeader title={t('Write to members')} parent={MEMBERS_SCREEN} />
      <div class="main-and-side">
        <section class="card">
          <Compose allowance={loaded.value} onSent={loaded.reload} />
        </section>
        <Preview />
      </div>
      <section class="card">
        <h2>{t('Sent messages')}</h2>
        <BatchList list={list} empty={<Empty icon={ICON_PATHS.mail} title={t('No messages')} />}>
          {(messages) => <MessageTable messages={messages} onChange={loaded.reload} />}
        </BatchList>
      </section>
    </>
  );
}

function Compose({
  allowance,
  onSent,
}: {
  allowance: { remaining: number; sendable_at: string | null } | undefined;
  onSent: () => void;
}) {
  const sendableAt = allowance?.sendable_at ?? null;
  const { audience, address, subject, text } = draft.value;
  const groups = useAsync(() => owner.addresses.listAddresses()).value?.addresses ?? [];
  const change = (part: Partial<typeof EMPTY>) => (draft.value = { ...draft.peek(), ...part });
  const obstacle = findObstacle();
  const isTest = useRef(true);
  const test = async () => {
    await owner.messages.createMessage({ ...draft.peek(), audience: 'self' });
    showMessage(t('The test is on its way to you.'));
  };
  const send = async () => {
    const { recipients } = await owner.messages.previewMessage(draft.peek());
    if (recipients > 0 && !(await confirmSending(recipients, allowance?.remaining))) return;
    await owner.messages.createMessage(draft.peek());
    draft.value = EMPTY;
    showMessage(t('The message is on its way.'));
  };
  return (
    <Form
      fields={['audience', 'subject', 'text']}
      onSubmit={() => (isTest.current ? test() : send()).then(onSent)}
    >
      {(obstacle ?? sendableAt) && (
        <p class="note">
          <span>
            {obstacle ??
              t.rich(
                '{count, plural, one {# message was} other {# messages were}} sent within 24 hours. The next can be sent <time></time>.',
                { count: LIMITS.messagesPerDay, time: () => <TimeAgo time={sendableAt!} /> },
              )}
          </span>
        </p>
      )}
      <Field
        name="audience"
        label={t('mail|To')}
        value={groups.find(({ name }) => name === address)?.email ?? audience}
        options={[
          ...AUDIENCES.filter(([value]) => value !== 'self'),
          ...groups.map(({ email }) => [email, describeReaders(email)] as const),
        ]}
        hint={<RecipientCounts audience={audience} address={address} />}
        onValue={(value) => {
          const name = groups.find(({ email }) => email === value)?.name;
          if (name) change({ audience: 'address', address: name });
          else change({ audience: value as Audience, address: null });
        }}
      />
      <Field
        name="subject"
        label={t('Subject')}
        maxLength={LIMITS.messageSubject}
        value={subject}
        onValue={(value) => change({ subject: value })}
      />
      <Field
        name="text"
        label={t('Text')}
        rows={10}
        maxLength={LIMITS.messageText}
        hint={t('Everybody gets the same text, as you type it. Links begin with https://.')}
        value={text}
        onValue={(value) => change({ text: value })}
      />
      <div class="actions">
        <button disabled={Boolean(obstacle)} onClick={() => (isTest.current = true)}>
          {t('Send a test to me')}
        </button>
        <button
          class="primary"
          disabled={Boolean(obstacle) || sendableAt !== null}
          onClick={() => (isTest.current = false)}
        >
          {t('Send…')}
        </button>
      </div>
    </Form>
  );
}

function findObstacle(): ComponentChildren {
  if (!canMailLoginLinks) return t('This server sends no mail.');
  if (instance.value.contact?.includes('@')) return undefined;
  return t.rich(
    'Members reply to the contact of your server. Enter an email address there first, under <link>Appearance</link>.',
    { link: (children) => <a href={dashboardHref('operator/appearance#contact')}>{children}</a> },
  );
}

function RecipientCounts({ audience, address }: Recipients) {
  const { value, failure } = useAsync(
    () => owner.messages.previewMessage({ audience, address }),
    [audience, address],
  );
  if (!value) return <>{failure ?? t('Counting…')}</>;
  const { recipients, unsubscribed, unreachable, shared } = value;
  return (
    <>
      <strong>{describeRecipients(recipients)}</strong>{' '}
      {[
        unsubscribed > 0 &&
          t('{count, plural, one {# person has} other {# people have}} unsubscribed.', {
            count: unsubscribed,
          }),
        unreachable > 0 &&
          t('{count, plural, one {# person has} other {# people have}} no confirmed address.', {
            count: unreachable,
          }),
        shared > 0 &&
          t(
            '{count, plural, one {# person shares} other {# people share}} the mailbox of another one.',
            { count: shared },
          ),
      ]
        .filter(Boolean)
        .join(' ')}
    </>
  );
}

function describeRecipients(count: number): string {
  return t('{count, plural, one {# mailbox gets} other {# mailboxes get}} a mail.', { count });
}

function confirmSending(recipients: number, remaining: number | undefined): Promise<boolean> {
  const minutes = Math.ceil(recipients / MAILS_PER_MINUTE);
  return confirm({
    title: t('Send the message?'),
    text: [
      describeRecipients(recipients),
      t('It takes about {count, plural, one {# minute} other {# minutes}}.', { count: minutes }),
      t('You can stop what has not been sent yet, but no mail can be called back.'),
      remaining === 1 &&
        t('It is the last of {count} messages within 24 hours.', { count: LIMITS.messagesPerDay }),
    ]
      .filter(Boolean)
      .join(' '),
    action: t('Send {count, plural, one {# mail} other {# mails}}', { count: recipients }),
    isDangerous: false,
  });
}

/** The mail as the server writes it. */
function Preview() {
  const { audience, subject, text } = draft.value;
  const written = { ...(subject.trim() && { subject }), ...(text.trim() && { text }) };
  return (
    <section class="preview" aria-label={t('Preview')}>
      <PostedPreview
        action="/dashboard/message"
        field="message"
        json={useDebounced(JSON.stringify({ audience, ...written }))}
        title={t('Preview of the mail')}
        device="phone"
        show={({ contentDocument }) => contentDocument?.querySelector('td.plate') != null}
      />
    </section>
  );
}
