import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { LIMITS } from '#contract/shared/limits.ts';
import { contactEmail } from '#contract/shared/web-url.ts';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showError, showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { PostedPreview } from '#dashboard/components/posted-preview.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import '#dashboard/components/posted-preview.css';
import { Switch } from '#dashboard/components/switch.tsx';
import { LocalDate, TimeAgo } from '#dashboard/components/time.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { messageDraft } from '#dashboard/draft-storage.ts';
import { isOn } from '#dashboard/facts.ts';
import { instance } from '#dashboard/instance.ts';
import { dashboardHref, query } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { GroupChips } from '../groups/group-chips.tsx';
import { loadGroups } from '../groups/load-groups.ts';
import { unconfirmedEmail } from '../mail/forwarding-text.ts';
import { editContact } from '../members/contact-dialog.tsx';
import { MEMBERS_SCREEN } from '../members/labels.ts';
import { MAIL_PATH } from '../server/setup.tsx';
import { editLoginEmail } from '../settings/login-email.tsx';
import {
  confirmSending,
  type MessageDraft,
  RecipientCounts,
  toRequest,
  useRecipientCounts,
} from './message-counts.tsx';
import { type Audience, AUDIENCES, describeAudience, MessageTable } from './message-table.tsx';

const EMPTY: MessageDraft = {
  audience: 'all',
  address: null,
  groups: null,
  official: false,
  subject: '',
  text: '',
};

export function WriteToMembers() {
  const list = useBatches(
    (cursor) => owner.messages.listMessages(cursor),
    ({ messages }) => messages,
  );
  const { loaded, rows } = list;
  const isSending = rows.some(({ waiting }) => waiting > 0);
  // A reload drops the batches that “Show more” has added.
  const pace = isSending ? 'progress' : 'background';
  usePolling(list.batches.length < 2 ? pace : undefined, loaded.poll);
  const draft = useSignal({ ...EMPTY, ...(messageDraft.read() as MessageDraft | undefined) });
  /** Without text, to the group of the list that the operator comes from. */
  const start = useSignal(EMPTY);
  useEffect(() => {
    const chosen = query.peek().get('group');
    if (chosen === null) return;
    const first = draft.peek();
    void withErrorMessage(loadGroups()).then((groups) => {
      if (!groups) return;
      const listed = groups.filter(({ id }) => id === chosen).map(({ id, name }) => ({ id, name }));
      if (!listed[0]) return showError(t('This group does not exist any more.'));
      start.value = { ...EMPTY, audience: 'groups', groups: listed };
      if (draft.peek() === first && !messageDraft.hasUnsavedChanges.peek())
        draft.value = start.value;
    });
  }, []);
  const writeAgain = ({ audience, address, groups, official, subject, text }: MessageDraft) => {
    draft.value = {
      ...EMPTY,
      ...(audience !== 'self' && { audience }),
      address,
      groups,
      official,
      subject,
      text,
    };
    messageDraft.write(draft.value);
    document.getElementsByName('subject')[0]?.focus();
  };
  const onAgain = messageDraft.hasUnsavedChanges.value ? undefined : writeAgain;
  return (
    <>
      <ScreenHeader title={t('Write to members')} parent={MEMBERS_SCREEN} />
      <div class="main-and-side">
        <section class="card">
          <SendingNotices />
          <Compose draft={draft} start={start} onSent={loaded.reload} />
        </section>
        <Preview {...draft.value} />
      </div>
      <section class="card">
        <h2>{t('Sent messages')}</h2>
        <BatchList list={list} empty={<Empty icon={ICON_PATHS.mail} title={t('No messages')} />}>
          {(messages) => (
            <MessageTable messages={messages} onAgain={onAgain} onChange={loaded.reload} />
          )}
        </BatchList>
      </section>
    </>
  );
}

function canSend(): boolean {
  return canMailLoginLinks && contactEmail(instance.value.contact) !== null;
}

/** Warns about a missing contact or email address. */
function SendingNotices() {
  const own = useAsync(() => owner.forwarding.getForwarding());
  const waiting = own.value ? unconfirmedEmail(own.value) : null;
  usePolling(waiting === null ? undefined : 'waiting', own.poll);
  if (!canMailLoginLinks)
    return (
      <Notice text={t('This server sends no mail yet')}>
        <a href={dashboardHref(MAIL_PATH)}>{t('Set up')}</a>
      </Notice>
    );
  if (!canSend())
    return (
      <Notice text={t('Set a contact with an email address first. Replies go there.')}>
        <button type="button" class="link" onClick={editContact}>
          {t('Set a contact')}
        </button>
      </Notice>
    );
  if (own.value?.login_email !== null) return null;
  return (
    <Notice
      text={
        waiting === null
          ? t('You have no confirmed address for a test.')
          : t('Open the link in the mail to {email}.', { email: waiting })
      }
    >
      <button type="button" class="link" onClick={() => editLoginEmail(own.value!, own.reload)}>
        {waiting === null ? t('Enter your address') : t('Change')}
      </button>
    </Notice>
  );
}

function Notice({ text, children }: { text: ComponentChildren; children?: ComponentChildren }) {
  return (
    <p class="note">
      <Icon path={ICON_PATHS.warning} />
      <span>
        {text} {children}
      </span>
    </p>
  );
}

async function sendTest(draft: MessageDraft): Promise<void> {
  await owner.messages.createMessage({ ...toRequest(draft), audience: 'self' });
  showMessage(t('The test is on its way to you.'));
}

function Compose({
  draft,
  start,
  onSent,
}: {
  draft: Signal<MessageDraft>;
  start: Signal<MessageDraft>;
  onSent: () => void;
}) {
  const { official, subject, text } = draft.value;
  const change = (part: Partial<MessageDraft>) => {
    draft.value = { ...draft.peek(), ...part };
    messageDraft.write(draft.value.subject || draft.value.text ? draft.value : undefined);
  };
  const counted = useRecipientCounts(draft.value);
  const noticeTime = counted.value?.notice_sendable_at ?? null;
  const remaining = counted.value?.remaining;
  const isTest = useRef(true);
  const send = async () => {
    const counts = await owner.messages.previewMessage(toRequest(draft.peek()));
    if (counts.recipients > 0 && !(await confirmSending(draft.peek(), counts))) return;
    await owner.messages.createMessage(toRequest(draft.peek()));
    change(start.peek());
    showMessage(t('The message is on its way.'));
    counted.poll();
    onSent();
  };
  return (
    <Form
      fields={['audience', 'subject', 'text']}
      onSubmit={() => (isTest.current ? sendTest(draft.peek()).then(onSent) : send())}
      onCancel={() => change(start.peek())}
    >
      <AudienceField
        draft={draft.value}
        hint={<RecipientCounts counts={counted} draft={draft.value} />}
        onChange={change}
      />
      <UsedUp sendableAt={counted.value?.sendable_at} />
      <ListedGroup draft={draft.value} start={start.value} onChange={change} />
      <OfficialNotice
        isOfficial={official}
        sendableAt={noticeTime}
        onChange={(isOfficial) => change({ official: isOfficial })}
      />
      <Field
        name="subject"
        label={t('Subject')}
        maxLength={LIMITS.messageSubject}
        required
        value={subject}
        onValue={(value) => change({ subject: value })}
      />
      <Field
        name="text"
        label={t('Text')}
        rows={10}
        maxLength={LIMITS.messageText}
        required
        hint={t('Plain text, the same for everyone. Start links with https://.')}
        value={text}
        onValue={(value) => change({ text: value })}
      />
      {messageDraft.hasUnsavedChanges.value && (
        <p class="hint">
          {t('Your draft stays on this device.')}{' '}
          <button type="reset" class="link">
            {t('Discard')}
          </button>
        </p>
      )}
      <div class="actions">
        <button disabled={!canSend()} onClick={() => (isTest.current = true)}>
          {t('Send a test to me')}
        </button>
        <button
          class="primary"
          disabled={!canSend() || remaining === 0 || (official && noticeTime !== null)}
          onClick={() => (isTest.current = false)}
        >
          {t('Review and send')}
        </button>
      </div>
      <DailyLimit remaining={remaining} />
    </Form>
  );
}

function UsedUp({ sendableAt: time }: { sendableAt: string | null | undefined }) {
  if (!time) return null;
  return (
    <Notice
      text={t.rich(
        'Some of these people got {max, number} messages within 24 hours. The next to them can be sent <time></time>, and one to others now.',
        {
          max: LIMITS.messagesPerDay,
          time: () => <TimeAgo time={time} />,
        },
      )}
    />
  );
}

function DailyLimit({ remaining }: { remaining: number | undefined }) {
  if (!remaining || !canSend()) return null;
  return (
    <p class="hint">
      {t(
        'You can send these people {remaining, plural, one {one more message} other {# more messages}} within 24 hours, and tests as often as you like.',
        { remaining },
      )}{' '}
      {t('Replies go to {contact}.', { contact: instance.value.contact! })}
    </p>
  );
}

function AudienceField({
  draft,
  hint,
  onChange,
}: {
  draft: MessageDraft;
  hint: ComponentChildren;
  onChange: (part: Partial<MessageDraft>) => void;
}) {
  const { audience, address } = draft;
  const { value: { addresses: groups = [] } = {} } = useAsync(async () =>
    isOn('addresses') ? owner.addresses.listAddresses() : undefined,
  );
  // The address of a draft may be deleted.
  const names = new Set([
    ...groups.map(({ name }) => name),
    ...(address === null ? [] : [address]),
  ]);
  return (
    <>
      <Field
        name="audience"
        label={t('mail|To')}
        value={address === null ? audience : `${address}@`}
        options={[
          ...AUDIENCES.filter(
            ([value]) => value !== 'self' && (value !== 'groups' || isOn('groups')),
          ),
          ...[...names].map(
            (name) =>
              [`${name}@`, describeAudience({ audience, address: name, groups: null })] as const,
          ),
        ]}
        hint={hint}
        onValue={(value) =>
          onChange(
            value.endsWith('@')
              ? { audience: 'address', address: value.slice(0, -1), groups: null }
              : { audience: value as Audience, address: null, groups: null },
          )
        }
      />
      {audience === 'groups' && (
        <GroupChips
          label={t('Groups')}
          chosen={draft.groups?.map(({ id }) => id) ?? []}
          onChange={(listed) => onChange({ groups: listed.map(({ id, name }) => ({ id, name })) })}
        />
      )}
    </>
  );
}

function ListedGroup({
  draft,
  start: { audience, address, groups },
  onChange,
}: {
  draft: MessageDraft;
  start: MessageDraft;
  onChange: (part: Partial<MessageDraft>) => void;
}) {
  const group = groups?.[0];
  if (!group || draft.groups?.map(({ id }) => id).join() === group.id) return null;
  return (
    <p class="hint">
      {t('The list that you come from showed others.')}{' '}
      <button
        type="button"
        class="link"
        onClick={() => onChange({ audience, address, groups: [group] })}
      >
        {t('Write to {group} instead', { group: group.name })}
      </button>
    </p>
  );
}

function OfficialNotice({
  isOfficial,
  sendableAt,
  onChange,
}: {
  isOfficial: boolean;
  /** Null means now. */
  sendableAt: string | null;
  onChange: (isOfficial: boolean) => void;
}) {
  const days = LIMITS.officialNoticeDays;
  return (
    <div>
      <Switch label={t('Official notice')} checked={isOfficial} onChange={onChange} />
      <p class="hint">
        {t(
          'For what every member has to know, such as a general meeting. Also reaches unsubscribed members. In {days} days, one can go to everyone and one to some of them.',
          { days },
        )}
      </p>
      {sendableAt !== null && (
        <Notice
          text={t.rich(
            'The next official notice to these people can be sent on <date></date>. To correct the last one, send a message: it reaches everybody who has not unsubscribed.',
            { date: () => <LocalDate time={sendableAt} /> },
          )}
        />
      )}
    </div>
  );
}

/** The mail as the server writes it. */
function Preview({ audience, official, subject, text }: MessageDraft) {
  const written = {
    subject: subject.trim() ? subject : undefined,
    text: text.trim() ? text : undefined,
  };
  return (
    <section class="preview mail-preview" aria-label={t('Preview')}>
      <PostedPreview
        action="/dashboard/message"
        field="message"
        json={useDebounced(JSON.stringify({ audience, official, ...written }))}
        title={t('Preview of the mail')}
        device="phone"
        show={({ contentDocument }) => contentDocument?.querySelector('td.plate') != null}
      />
    </section>
  );
}
