import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { shortenText } from '#contract/shared/user-text.ts';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ShowMore } from '#dashboard/components/show-more.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { isOn } from '#dashboard/facts.ts';
import { forwardsMail } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { listedGroups } from './listed-groups.tsx';
import { type CheckedMember, COLUMNS, type MemberCells, type MemberChange } from './member-csv.ts';
import './invitations.css';

const SHOWN_ROWS = 20;
/** Longer values are truncated, because a cell can contain the whole list. */
const MAX_CELL_LENGTH = 48;

type ChangeAll = (change: MemberChange) => Promise<unknown>;
type ChangeLine = (line: number, change: MemberChange) => Promise<unknown>;

function applySuggestion(member: CheckedMember): CheckedMember {
  const { problem } = member;
  return problem?.suggestion ? { ...member, [problem.field]: problem.suggestion } : member;
}

export function CheckedList({
  members,
  changeAll,
  children,
}: {
  members: readonly CheckedMember[];
  /** Applies the change to every member, then checks the list again. */
  changeAll: ChangeAll;
  /** Below the lists. */
  children: ComponentChildren;
}) {
  const changeLine: ChangeLine = (line, change) =>
    changeAll((member) => (member.line === line ? change(member) : member));
  const withState = (state: CheckedMember['state']) =>
    members.filter((member) => member.state === state);
  const ready = withState('ready');
  const problems = withState('problem');
  const leftOut = withState('left_out');
  return (
    <>
      <dl class="card stats invitation-tally" aria-label={t('Result of the check')}>
        {(
          [
            [ready, t('tally|ready')],
            [
              problems,
              t('{count, plural, one {needs a look} other {need a look}}', {
                count: problems.length,
              }),
            ],
            [leftOut, t('tally|left out')],
          ] as const
        ).map(([list, label]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class={`display-number ${list === problems && list.length > 0 ? 'warn' : ''}`}>
              {list.length}
            </dd>
          </div>
        ))}
      </dl>
      {problems.length > 0 && (
        <ProblemList problems={problems} changeAll={changeAll} changeLine={changeLine} />
      )}
      <MemberSection title={t('Ready')} members={ready} changeLine={changeLine} />
      <MemberSection title={t('Left out')} members={leftOut} hasReason changeLine={changeLine} />
      {children}
    </>
  );
}

function ProblemList({
  problems,
  changeAll,
  changeLine,
}: {
  problems: readonly CheckedMember[];
  changeAll: ChangeAll;
  changeLine: ChangeLine;
}) {
  const shownCount = useSignal(SHOWN_ROWS);
  return (
    <section class="card">
      <div class="card-head">
        <h2>
          {t('{count, plural, one {Needs a look} other {Need a look}}', { count: problems.length })}{' '}
          <span class="count">{problems.length}</span>
        </h2>
        {problems.some(({ problem }) => problem?.suggestion) && (
          <button type="button" onClick={() => void changeAll(applySuggestion)}>
            <Icon path={ICON_PATHS.check} />
            {t('Accept all suggestions')}
          </button>
        )}
      </div>
      <ul class="invitation-problems">
        {problems.slice(0, shownCount.value).map((member) => (
          <li key={member.line}>
            <p class="row hint">
              <span class="muted">{t('Line {line}', { line: member.line })}</span>
              {COLUMNS.map((field) => (
                <Cell key={field} member={member} field={field} />
              ))}
            </p>
            <p class="note">
              <Icon path={ICON_PATHS.warning} />
              {member.problem?.text}
            </p>
            <div class="row">
              {member.problem?.suggestion ? (
                <button type="button" onClick={() => void changeLine(member.line, applySuggestion)}>
                  {t('Use {suggestion}', {
                    suggestion: shortenText(member.problem.suggestion, MAX_CELL_LENGTH),
                  })}
                </button>
              ) : (
                <button
                  type="button"
                  aria-label={t('Leave out line {line}', { line: member.line })}
                  onClick={() => void changeLine(member.line, () => null)}
                >
                  {t('Leave out')}
                </button>
              )}
              <ChangeButton member={member} changeLine={changeLine} />
            </div>
          </li>
        ))}
      </ul>
      {problems.length > shownCount.value && (
        <ShowMore onMore={() => (shownCount.value += SHOWN_ROWS)} />
      )}
    </section>
  );
}

function ChangeButton({ member, changeLine }: { member: CheckedMember; changeLine: ChangeLine }) {
  return (
    <button
      type="button"
      class="quiet"
      aria-label={t('Change line {line}', { line: member.line })}
      onClick={() => void editMember(member, changeLine)}
    >
      {t('Change')}
    </button>
  );
}

function Cell({
  member: { problem, ...member },
  field,
}: {
  member: CheckedMember;
  field: keyof MemberCells;
}) {
  const value = member[field];
  if (value === null) return null;
  const text = `${field === 'display_name' ? '@' : field === 'forward_to_email' ? '→ ' : ''}${shortenText(value, MAX_CELL_LENGTH)}`;
  if (problem?.field === field) return <del>{text}</del>;
  return <span class={field === 'name' ? 'strong' : undefined}>{text}</span>;
}

async function editMember(member: CheckedMember, changeLine: ChangeLine): Promise<void> {
  const name = signal(member.name ?? '');
  const email = signal(member.email ?? '');
  const displayName = signal(member.display_name ?? '');
  const forwardTo = signal(member.forward_to_email ?? '');
  const groups = signal(member.groups ?? '');
  const isOldSuggestion = () =>
    name.value !== (member.name ?? '') && displayName.value === member.display_name;
  const fieldProps = (field: keyof MemberCells) => ({
    name: field,
    autofocus: member.problem?.field === field,
  });
  const cells = await showDialog<MemberCells | null>(
    t('Line {line}', { line: member.line }),
    (close) => (
      <Form
        fields={COLUMNS}
        submitLabel={t('Save')}
        onCancel={close}
        onSubmit={async () =>
          close({
            name: name.value || null,
            email: email.value || null,
            // Null gets a new suggestion, because the old one was made from the old name.
            display_name: isOldSuggestion() ? null : displayName.value || null,
            forward_to_email: forwardTo.value || null,
            groups: groups.value || null,
          })
        }
      >
        <BoundField signal={name} name="name" label={t('Full name')} />
        <BoundField
          signal={email}
          {...fieldProps('email')}
          label={t('Email address')}
          spellcheck={false}
        />
        <BoundField
          signal={displayName}
          {...fieldProps('display_name')}
          label={t('Display name')}
          prefix="@"
        />
        {(forwardsMail || member.forward_to_email !== null) && (
          <BoundField
            signal={forwardTo}
            {...fieldProps('forward_to_email')}
            label={t('Forward mail to')}
          />
        )}
        {isOn('groups') && <BoundField signal={groups} name="groups" label={t('Groups')} />}
        <p>
          <button type="button" class="link" onClick={() => close(null)}>
            {t('Leave this line out')}
          </button>
        </p>
      </Form>
    ),
  );
  // Null leaves the line out.
  if (cells !== undefined)
    await changeLine(member.line, (current) => cells && { ...current, ...cells });
}

const FORWARDING_COLUMN = {
  title: t('Forwards to'),
  cell: ({ forward_to_email }: CheckedMember) =>
    forward_to_email ?? <span class="muted">{t('The same')}</span>,
};

const GROUPS_COLUMN = { title: t('Groups'), cell: ({ groups }: CheckedMember) => groups };

function MemberSection({
  title,
  members,
  hasReason = false,
  changeLine,
}: {
  title: string;
  members: readonly CheckedMember[];
  /** Whether the lines have a problem. */
  hasReason?: boolean;
  changeLine: ChangeLine;
}) {
  const shownCount = useSignal(SHOWN_ROWS);
  if (members.length === 0) return null;
  return (
    <section class="card">
      <h2>
        {title} <span class="count">{members.length}</span>
      </h2>
      {hasReason && listedGroups.value && (
        <p class="hint">
          {t(
            'They get no new invitation. Those with an account join the groups below, those with an open invitation when they accept it.',
          )}
        </p>
      )}
      <Table
        caption={title}
        rows={members.slice(0, shownCount.value)}
        rowKey={({ line }) => line}
        columns={[
          {
            title: t('person|Name'),
            cell: ({ name, email, note }) => (
              <>
                <span class="strong">{name ?? email}</span>
                {note !== null && <p class="hint">{note}</p>}
              </>
            ),
          },
          { title: t('Email address'), cell: ({ email }) => email },
          ...(hasReason
            ? [{ title: t('Reason'), cell: ({ problem }: CheckedMember) => problem?.text }]
            : [
                {
                  title: t('Display name'),
                  cell: ({ display_name }: CheckedMember) =>
                    display_name === null ? (
                      <span class="muted">{t('Chosen later')}</span>
                    ) : (
                      `@${display_name}`
                    ),
                },
                ...(forwardsMail ? [FORWARDING_COLUMN] : []),
                ...(members.some(({ groups }) => groups !== null) ? [GROUPS_COLUMN] : []),
              ]),
        ]}
        actions={(member: CheckedMember) => (
          <ChangeButton member={member} changeLine={changeLine} />
        )}
      />
      {members.length > shownCount.value && (
        <ShowMore onMore={() => (shownCount.value += 10 * SHOWN_ROWS)} />
      )}
    </section>
  );
}
