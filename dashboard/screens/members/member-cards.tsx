import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Notice } from '#dashboard/components/notice.tsx';
import { Table } from '#dashboard/components/table.tsx';
import { LocalDate } from '#dashboard/components/time.tsx';
import { navigate } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { Member } from './labels.ts';
import { MEMBER_ACTIONS, type MemberAction, actionLabel } from './member-actions.tsx';
import { resumeMember } from './suspend-member.tsx';

const { link, rename, email, pictures, export: exportMember, role, hide, suspend } = MEMBER_ACTIONS;

type HeldBackName = ResponseOf<typeof owner.members.getMember>['held_names'][number];

interface CardProps {
  member: Member;
  onChange: () => void;
}

/** Shows since when and why the account or its page is suspended, and can resume it. */
export function Suspension({ member, onChange }: CardProps) {
  const isPageOnly = member.state === 'active';
  return (
    <Notice
      tone="bad"
      title={isPageOnly ? t('An operator has hidden the page') : t('The account is suspended')}
      text={
        <>
          {member.suspended_at && (
            <>
              <LocalDate time={member.suspended_at} />
              {' · '}
            </>
          )}
          {member.suspension_reason && t('Reason: {reason}', { reason: member.suspension_reason })}
        </>
      }
    >
      <button type="button" onClick={() => void resumeMember(member, onChange)}>
        {isPageOnly ? t('Show page again') : t('Resume account')}
      </button>
    </Notice>
  );
}

export function Role(props: CardProps) {
  return (
    <section class="card">
      <h2>{t('Role')}</h2>
      <ActionRows actions={[role]} {...props} />
    </section>
  );
}

/** For another operator, offers only a login link. */
export function Help(props: CardProps) {
  return (
    <section class="card">
      <h2>{t('Help')}</h2>
      <ActionRows actions={[link, rename, email, pictures, exportMember]} {...props} />
    </section>
  );
}

export function SuspendOrDelete(props: CardProps) {
  const { member } = props;
  return (
    <section class="card">
      <h2>{t('Suspend or delete')}</h2>
      <ul>
        {member.state === 'active' && (
          <ListRow
            title={t('For a while')}
            text={t('Hides the page, or locks the whole account. Nothing is deleted.')}
            actions={[hide, suspend]
              .filter(({ isFor }) => isFor(member))
              .map((action) => (
                <ActionButton key={action.label} action={action} isDangerous {...props} />
              ))}
          />
        )}
        <ListRow
          title={t('For good')}
          text={t('Page, pictures, keys, projects and metrics.')}
          actions={
            <ActionButton
              action={MEMBER_ACTIONS.delete}
              isDangerous
              member={member}
              onChange={() => navigate('operator/members')}
            />
          }
        />
      </ul>
    </section>
  );
}

function ActionRows({ actions, ...props }: CardProps & { actions: readonly MemberAction[] }) {
  return (
    <ul>
      {actions
        .filter(({ isFor }) => isFor(props.member))
        .map((action) => {
          const [title = '', text = '', buttonLabel] = action.row?.(props.member) ?? [];
          return (
            <ListRow
              key={title}
              title={title}
              text={text}
              actions={<ActionButton action={action} label={buttonLabel} {...props} />}
            />
          );
        })}
    </ul>
  );
}

function ActionButton({
  action,
  label,
  isDangerous = false,
  member,
  onChange,
}: CardProps & { action: MemberAction; label?: string | undefined; isDangerous?: boolean }) {
  return (
    <button
      type="button"
      class={isDangerous ? 'danger' : undefined}
      onClick={() => void action.run(member, onChange)}
    >
      {label ?? actionLabel(action, member)}
    </button>
  );
}

export function HeldBackNames({
  names,
  onReleased,
}: {
  names: readonly HeldBackName[];
  onReleased: () => void;
}) {
  const release = async (display_name: string) => {
    const isConfirmed = await confirm({
      title: t('Release {name}?', { name: display_name }),
      text: t('Anyone can then claim the name. Old links then open the new owner’s page.'),
      action: t('Release'),
    });
    if (!isConfirmed || !(await withErrorMessage(owner.members.deleteHeldName({ display_name }))))
      return;
    showMessage(t('Released {name}.', { name: display_name }));
    onReleased();
  };
  return (
    <section class="card">
      <h2>{t('Names held back')}</h2>
      <Table
        caption={t('Names held back')}
        rows={names}
        rowKey={({ display_name }) => display_name}
        columns={[
          { title: t('Name'), cell: ({ display_name }) => <>@{display_name}</> },
          {
            title: t('Available'),
            cell: ({ free_at }) =>
              free_at === null ? t('When its mail alias is deleted') : <LocalDate time={free_at} />,
          },
        ]}
        actions={({ display_name }) => (
          <button
            type="button"
            class="quiet"
            aria-label={t('Release {name}', { name: display_name })}
            onClick={() => void release(display_name)}
          >
            {t('Release')}
          </button>
        )}
      />
    </section>
  );
}
