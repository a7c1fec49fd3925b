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

const LINKS = [
  isOn('invitations') && {
    label: t('Invitations'),
    iconPath: ICON_PATHS.user,
    path: 'operator/members/invitations',
  },
  isOn('messages') && {
    label: t('Write to members'),
    iconPath: ICON_PATHS.mail,
    path: 'operator/members/messages',
  },
].filter((link) => link !== false);

const ACCOUNT_LABEL = t('Add an account for a club');

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
  const query = group && group !== 'none' ? `?group=${group}` : '';
  const links = LINKS.map((link) => ({ ...link, path: link.path + query }));
  return (
    <ScreenHeader
      title={t('Members')}
      subtitle={
        total === undefined
          ? host
          : t('{total, plural, one {# person} other {# people}} at {host}', { total, host })
      }
    >
      {links.map(({ label, path }) => (
        <a key={path} class="button only-wide" href={dashboardHref(path)}>
          {label}
        </a>
      ))}
      {onExport && (
        <button type="button" class="only-wide" onClick={onExport}>
          {t('Export')}
        </button>
      )}
      {isOn('keepers') && (
        <button type="button" class="only-wide" onClick={showAccountForm}>
          {ACCOUNT_LABEL}
        </button>
      )}
      {isOn('invitations') && (
        <a class="button primary" href={dashboardHref('operator/members/add')}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add members')}
        </a>
      )}
      <div class="only-narrow">
        <Menu
          label={t('More')}
          items={() => [
            ...links.map(({ path, ...link }) => ({ ...link, run: () => navigate(path) })),
            ...(isOn('keepers')
              ? [{ label: ACCOUNT_LABEL, iconPath: ICON_PATHS.plus, run: showAccountForm }]
              : []),
            ...(onExport
              ? [{ label: t('Export'), iconPath: ICON_PATHS.download, run: onExport }]
              : []),
          ]}
        />
      </div>
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
