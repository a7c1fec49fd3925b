import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { APPLICATION_STATES, type DecisionResult } from '#contract/shared/applications.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { Empty } from '#dashboard/components/async-content.tsx';
import { BatchList, useBatches } from '#dashboard/components/batch-list.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { Face } from '#dashboard/components/face.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu } from '#dashboard/components/menu.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { loadCurrentAccount, waitingApplicationCount } from '#dashboard/current-account.ts';
import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { MEMBERS_SCREEN } from './labels.ts';
import './applications.css';
import './operator.css';

const listFormat = new Intl.ListFormat(t.locale);

const listNames = (names: readonly string[]) => listFormat.format(names.map((name) => `@${name}`));

type Application = ResponseOf<typeof owner.applications.listApplications>['applications'][number];

const STATE_LABELS = {
  waiting: t('Waiting'),
  approved: t('application|Approved'),
  declined: t('application|Declined'),
};

export function Applications() {
  const requested = query.value.get('state');
  const state = APPLICATION_STATES.find((value) => value === requested) ?? 'waiting';
  const list = useBatches(
    (cursor) => owner.applications.listApplications({ state, ...cursor }),
    ({ applications }) => applications,
    [state],
  );
  const chosen = useSignal<readonly string[]>([]);
  // Decided ones are in the list no more; the others stay chosen.
  const reload = () => {
    list.loaded.reload();
    loadCurrentAccount().catch(() => undefined);
  };
  useEffect(reload, [state]);
  const chosenRows = list.rows.filter(
    (row) => row.state === 'waiting' && chosen.value.includes(row.id),
  );
  return (
    <>
      <ScreenHeader
        title={t('Applications')}
        parent={MEMBERS_SCREEN}
        subtitle={t(
          'People who ask to join. Without a decision, an application expires after {days} days.',
          { days: LIMITS.applicationDays },
        )}
      />
      <SegmentedControl
        label={t('State of applications')}
        look="tabs"
        value={state}
        options={APPLICATION_STATES.map((value) => [
          value,
          <>
            {STATE_LABELS[value]}{' '}
            {value === 'waiting' && (
              <span class="count">{waitingApplicationCount.value || ''}</span>
            )}
          </>,
        ])}
        onValue={(value) =>
          navigate(`operator/members/applications?state=${value}`, { replace: true })
        }
      />
      <BatchList list={list} empty={<NoApplications isWaiting={state === 'waiting'} />}>
        {(applications) => (
          <>
            {chosenRows.length > 1 && (
              <section class="card operator-selected" aria-label={t('Selected applications')}>
                <strong>{t('{count, number} selected', { count: chosenRows.length })}</strong>
                <Decisions applications={chosenRows} onChange={reload} />
              </section>
            )}
            <ul class="stack operator-report-cards">
              {applications.map((application) => (
                <li key={application.id} class="card">
                  <ApplicationCard application={application} chosen={chosen} onChange={reload} />
                </li>
              ))}
            </ul>
          </>
        )}
      </BatchList>
    </>
  );
}

function NoApplications({ isWaiting }: { isWaiting: boolean }) {
  return (
    <div class="card">
      <Empty
        icon={ICON_PATHS.user}
        title={isWaiting ? t('No open applications') : t('Nothing here')}
      >
        <p class="muted">
          {isWaiting
            ? t('When somebody asks to join, it appears here.')
            : t('What you decide appears here for {days} days.', {
                days: LIMITS.decidedApplicationDays,
              })}
        </p>
      </Empty>
    </div>
  );
}

function ApplicationCard({
  application,
  chosen,
  onChange,
}: {
  application: Application;
  chosen: Signal<readonly string[]>;
  onChange: () => void;
}) {
  const { id, display_name: name, email, text, state, created_at } = application;
  const { name: person, same_address, sentence, decided_at } = application;
  const isChosen = chosen.value.includes(id);
  const choose = () =>
    (chosen.value = isChosen
      ? chosen.value.filter((other) => other !== id)
      : [...chosen.value, id]);
  return (
    <div class="operator-application">
      <Face url={null} name={person ?? name} />
      <div class="card-head">
        <h2>
          {person ?? `@${name}`}{' '}
          <small class="hint">
            {[person !== null && `@${name}`, email].filter(Boolean).join(' · ')}
          </small>
        </h2>
        <span class="hint">
          <TimeAgo time={decided_at ?? created_at} />
        </span>
      </div>
      {text !== '' && <p class="operator-application-text">{text}</p>}
      {sentence !== null && (
        <p class="operator-application-text">{t('Your answer: “{sentence}”', { sentence })}</p>
      )}
      {same_address.length > 0 && (
        <p class="hint">{t('The same address: {names}', { names: listNames(same_address) })}</p>
      )}
      {state === 'waiting' && (
        <Decisions applications={[application]} onChange={onChange}>
          <label class="row operator-select">
            <input type="checkbox" checked={isChosen} onChange={choose} />
            <span>
              {t.rich('Select<hidden> {name}</hidden>', { name, hidden: visuallyHidden })}
            </span>
          </label>
        </Decisions>
      )}
    </div>
  );
}

type Decision = 'approve' | 'decline';

/** Buttons that decide about one application, or about several at once. A form opens in their place. */
function Decisions({
  applications,
  onChange,
  children,
}: {
  applications: readonly Application[];
  onChange: () => void;
  children?: ComponentChildren;
}) {
  const open = useSignal<Decision>();
  const sentence = useSignal('');
  const names = listNames(applications.map(({ display_name: name }) => name));
  const decide = async (decision: Decision, mail: boolean) => {
    const ids = applications.map(({ id }) => id);
    const body = { application_ids: ids, sentence: (mail && sentence.value.trim()) || null };
    const { results } =
      decision === 'approve'
        ? await owner.applications.approveApplications(body)
        : await owner.applications.declineApplications({ ...body, mail });
    showMessage(
      describeResults(
        decision,
        results.map(({ result }) => result as DecisionResult),
      ),
    );
    onChange();
  };
  const declineWithoutMail = async () => {
    const isConfirmed = await confirm({
      title: t('Decline without a mail?'),
      text: t('No answer goes to {names}. You cannot undo this.', { names }),
      action: t('Decline'),
    });
    if (isConfirmed) await withErrorMessage(decide('decline', false));
  };
  const emails = listFormat.format(applications.map(({ email }) => email!));
  if (open.value !== undefined)
    return (
      <div ref={focusField} class="panel operator-decision">
        <Form
          fields={['sentence']}
          submitLabel={
            open.value === 'approve' ? t('Approve and send mail') : t('Decline and send mail')
          }
          onSubmit={() => decide(open.value!, true)}
          onCancel={() => (open.value = undefined)}
        >
          <BoundField
            signal={sentence}
            name="sentence"
            label={t('A sentence from you')}
            hint={t('Goes into the mail to {emails}. You can leave it out.', { emails })}
            maxLength={LIMITS.invitationSentence}
          />
        </Form>
      </div>
    );
  return (
    <div class="row operator-report-actions">
      <button type="button" class="primary" onClick={() => (open.value = 'approve')}>
        {t.rich('Approve<hidden> {names}</hidden>', { names, hidden: visuallyHidden })}
      </button>
      <button type="button" onClick={() => (open.value = 'decline')}>
        {t.rich('Decline<hidden> {names}</hidden>', { names, hidden: visuallyHidden })}
      </button>
      <Menu
        label={t('More for {name}', { name: names })}
        items={() => [
          {
            label: t('Decline without a mail'),
            iconPath: ICON_PATHS.close,
            run: () => void declineWithoutMail(),
          },
        ]}
      />
      {children}
    </div>
  );
}

/** `autofocus` would work for the first form of a page only. */
const focusField = (form: HTMLElement | null) => form?.querySelector('input')?.focus();

function describeResults(decision: Decision, results: readonly DecisionResult[]): string {
  const count = (wanted: DecisionResult) => results.filter((result) => result === wanted).length;
  const [done, unavailable] = [count('done'), count('nameUnavailable')];
  const ended = results.length - done - unavailable;
  return [
    done > 0 && decision === 'approve' && t('{done, number} approved.', { done }),
    done > 0 && decision === 'decline' && t('{done, number} declined.', { done }),
    unavailable > 0 &&
      t(
        '{unavailable, plural, one {The name is reserved by now.} other {# names are reserved by now.}} Decline, and say so in the mail.',
        { unavailable },
      ),
    ended > 0 &&
      t(
        '{ended, plural, one {The application was already decided, withdrawn or expired.} other {# were already decided, withdrawn or expired.}}',
        { ended },
      ),
  ]
    .filter(Boolean)
    .join(' ');
}
