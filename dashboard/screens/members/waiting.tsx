import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { Face } from '#dashboard/components/face.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { showFormDialog } from '#dashboard/components/form-dialog.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { type Member, memberName } from './labels.ts';
import { type Selection, SelectedMembers, SelectMember } from './selection.tsx';
import './waiting.css';

const personName = (member: Member) => member.page_title ?? memberName(member);

const listPeople = (members: readonly Member[]) => formatList(members.map(personName));

/** Decides about accounts that wait for approval. */
export function WaitingList() {
  const list = useBatches(
    (cursor) => owner.members.listMembers({ state: 'waiting', ...cursor }),
    ({ members }) => members,
  );
  const chosen = useSignal<readonly string[]>([]);
  const decisions = useSignal<readonly string[]>([]);
  const reloadCount = () => void loadCurrentAccount().catch(() => undefined);
  useEffect(reloadCount, []);
  const onDecided = (text: string) => {
    decisions.value = [...decisions.value, text];
    list.loaded.reload();
    reloadCount();
  };
  // Decided ones are in the list no more; the others stay chosen.
  const chosenRows = list.rows.filter(({ id }) => chosen.value.includes(id));
  return (
    <>
      <section class="card waiting-list">
        <BatchList list={list} empty={<NobodyWaits />}>
          {(members) => (
            <ul>
              {members.map((member) => (
                <li key={member.id}>
                  <Applicant member={member} chosen={chosen} onDecided={onDecided} />
                </li>
              ))}
            </ul>
          )}
        </BatchList>
        <div role="status">
          {decisions.value.map((text) => (
            <p key={text} class="row">
              <span class="tile round good">
                <Icon path={ICON_PATHS.check} />
              </span>
              {text}
            </p>
          ))}
        </div>
      </section>
      {chosenRows.length > 1 && (
        <SelectedMembers count={chosenRows.length} onClear={() => (chosen.value = [])}>
          <DecisionButtons
            members={chosenRows}
            onClick={(decision) =>
              void showFormDialog({
                title: decision === 'approve' ? t('Let these people in') : t('Decline'),
                text: listPeople(chosenRows),
                ...createDecisionForm(chosenRows, decision, onDecided),
              })
            }
          />
        </SelectedMembers>
      )}
    </>
  );
}

function NobodyWaits() {
  return (
    <Empty icon={ICON_PATHS.user} title={t('Nobody is waiting')}>
      <p class="muted">
        {t('People who ask to join on the front page show up here, for {days} days.', {
          days: LIMITS.applicationDays,
        })}
      </p>
    </Empty>
  );
}

function Applicant({
  member,
  chosen,
  onDecided,
}: {
  member: Member;
  chosen: Selection;
  onDecided: (text: string) => void;
}) {
  const { email, page_title, created_at, application } = member;
  const form = useSignal<ReturnType<typeof createDecisionForm>>();
  const name = memberName(member);
  const sameAddress = application?.same_address.map((other) => `@${other}`) ?? [];
  return (
    <>
      <SelectMember member={member} selection={chosen} />
      <Face url={null} name={personName(member).replace('@', '')} />
      <div class="card-head">
        <h2>
          {personName(member)}{' '}
          <small class="hint">
            {[page_title !== null && name, email].filter(Boolean).join(' · ')}
          </small>
        </h2>
        <span class="hint">
          <TimeAgo time={created_at} />
        </span>
      </div>
      {application?.text && <p class="waiting-text">{application.text}</p>}
      {sameAddress.length > 0 && (
        <p class="hint">{t('The same address: {names}', { names: formatList(sameAddress) })}</p>
      )}
      {form.value ? (
        <div class="panel">
          <Form {...form.value} onCancel={() => (form.value = undefined)}>
            {form.value.render()}
          </Form>
        </div>
      ) : (
        <div class="row">
          <DecisionButtons
            members={[member]}
            onClick={(decision) => (form.value = createDecisionForm([member], decision, onDecided))}
          />
        </div>
      )}
    </>
  );
}

type Decision = 'approve' | 'decline';

function DecisionButtons({
  members,
  onClick,
}: {
  members: readonly Member[];
  onClick: (decision: Decision) => void;
}) {
  const names = listPeople(members);
  return (
    <>
      <button type="button" onClick={() => onClick('approve')}>
        {t.rich('Let in<hidden> {names}</hidden>', { names, hidden: visuallyHidden })}
      </button>
      <button type="button" onClick={() => onClick('decline')}>
        {t.rich('Decline<hidden> {names}</hidden>', { names, hidden: visuallyHidden })}
      </button>
    </>
  );
}

/** A form for one or several people, with one sentence for all. */
function createDecisionForm(
  members: readonly Member[],
  decision: Decision,
  onDecided: (text: string) => void,
) {
  const sentence = signal('');
  const isMailed = signal(true);
  const emails = formatList(members.map(({ email }) => email ?? ''));
  const isApproval = decision === 'approve';
  return {
    fields: ['sentence'],
    submitLabel: isApproval ? t('Let {names} in', { names: listPeople(members) }) : t('Decline'),
    onSubmit: async () => {
      const answer = (isMailed.value && sentence.value.trim()) || null;
      const body = { account_ids: members.map(({ id }) => id), sentence: answer };
      const { results } = isApproval
        ? await owner.members.approveMembers(body)
        : await owner.members.declineMembers({ ...body, mail: isMailed.value });
      const done = members.filter((_, index) => results[index]?.result === 'done');
      onDecided(describeDecision(isApproval, done, members.length - done.length));
    },
    render: () => (
      <>
        <BoundField
          signal={sentence}
          name="sentence"
          label={t('A sentence from you')}
          hint={t('Goes into the mail to {emails}. You can leave it out.', { emails })}
          maxLength={LIMITS.invitationSentence}
          autofocus
          disabled={!isMailed.value}
        />
        {!isApproval && (
          <Switch
            label={t('Send a mail')}
            checked={isMailed.value}
            onChange={(isOn) => (isMailed.value = isOn)}
          />
        )}
      </>
    ),
  };
}

function describeDecision(isApproval: boolean, done: readonly Member[], ended: number): string {
  const names = listPeople(done);
  return [
    done.length > 0 &&
      (isApproval
        ? t('In: {names}. The mail is on its way.', { names })
        : t('Declined: {names}.', { names })),
    ended > 0 &&
      t(
        '{ended, plural, one {One was already decided, withdrawn or expired.} other {# were already decided, withdrawn or expired.}}',
        { ended },
      ),
  ]
    .filter(Boolean)
    .join(' ');
}
