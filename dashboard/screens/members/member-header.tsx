import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Menu } from '#dashboard/components/menu.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { countToDo } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref, navigate } from '#dashboard/router.ts';
import { pagesUrl, takesApplications } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { showAccountForm } from './create-kept-account.tsx';

const WRITE_LABEL = t('Write to members');

export function MemberHeader({
  group,
  total,
  onExport,
}: {
  /** Id of the group that the list shows. */
  group?: string | undefined;
  total?: number | undefined;
  onExport?: () => void;
}) {
  const { host } = new URL(pagesUrl);
  const pathTo = (name: string) =>
    `operator/members/${name}${group && group !== 'none' ? `?group=${group}` : ''}`;
  const write = isOn('messages') && pathTo('messages');
  const items = () =>
    [
      // Beside the menu if there is room.
      write &&
        matchMedia('(width < 47.5rem)').matches && {
          label: WRITE_LABEL,
          iconPath: ICON_PATHS.mail,
          run: () => navigate(write),
        },
      isOn('invitations') && {
        label: t('Invitations'),
        iconPath: ICON_PATHS.user,
        run: () => navigate(pathTo('invitations')),
      },
      isOn('keepers') && {
        label: t('Add an account for a club'),
        iconPath: ICON_PATHS.plus,
        run: showAccountForm,
      },
      onExport && { label: t('Export'), iconPath: ICON_PATHS.download, run: onExport },
    ].filter((item) => typeof item === 'object');
  return (
    <ScreenHeader
      title={t('Members')}
      subtitle={
        total === undefined
          ? host
          : t('{total, plural, one {# person} other {# people}} at {host}', { total, host })
      }
    >
      {write && (
        <a class="button only-wide" href={dashboardHref(write)}>
          {WRITE_LABEL}
        </a>
      )}
      {isOn('invitations') && (
        <a class="button primary" href={dashboardHref('operator/members/add')}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add members')}
        </a>
      )}
      {items().length > 0 && <Menu label={t('More')} items={items} />}
    </ScreenHeader>
  );
}

/** Nothing if there is only one. */
export function MemberTabs({ value }: { value: string }) {
  const count = countToDo('applicationsWaiting');
  const options = [
    ['operator/members', t('Members')] as const,
    (takesApplications || count > 0) &&
      (['operator/members/waiting', `${t('Waiting')} ${count || ''}`] as const),
    isOn('groups') && (['operator/members/groups', t('Groups')] as const),
  ].filter((option) => option !== false);
  if (options.length === 1) return null;
  return (
    <SegmentedControl
      label={t('Which members')}
      look="tabs"
      value={value}
      options={options}
      onValue={(path) => navigate(path)}
    />
  );
}
