import { isChecked } from '#contract/shared/clients.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { Menu } from '#dashboard/components/menu.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { navigate } from '#dashboard/router.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { activityPath } from '../activity/path.ts';
import { ConnectAiClient } from '../keys/connect-ai-client.tsx';
import { BIN_ICON } from '../page/row-menu.tsx';
import { WebsiteLogo } from '../websites/website-logo.tsx';
import { describeLastUse } from '../websites/website.ts';

type Grant = ResponseOf<typeof owner.grants.listGrants>['grants'][number];

/** The grants of one client, the one used last first. Each device has a grant of its own. */
type App = [Grant, ...Grant[]];

export function ConnectedApps() {
  const state = useAsync(() => owner.grants.listGrants());
  return (
    <>
      <ScreenHeader
        title={t('Connected apps')}
        parent={{ title: t('Settings'), path: 'settings' }}
        subtitle={t('Websites and AI clients that use your account.')}
      />
      <div class="main-and-side">
        <div>
          <AsyncContent state={state}>
            {({ grants }) => <Apps apps={groupByClient(grants)} onChange={state.reload} />}
          </AsyncContent>
        </div>
        <div>
          <ConnectAiClient secret={undefined} />
        </div>
      </div>
    </>
  );
}

function groupByClient(grants: readonly Grant[]): App[] {
  const apps = new Map<string, App>();
  for (const grant of grants) {
    const app = apps.get(grant.client_id);
    if (!app) apps.set(grant.client_id, [grant]);
    else if ((grant.last_used_at ?? '') > (app[0].last_used_at ?? '')) app.unshift(grant);
    else app.push(grant);
  }
  return [...apps.values()];
}

const isWebsite = ([{ client_kind }]: App) => client_kind === 'website';

function Apps({ apps, onChange }: { apps: App[]; onChange: () => void }) {
  const cards = [
    [t('Websites'), apps.filter(isWebsite)],
    [t('AI clients'), apps.filter((app) => !isWebsite(app))],
  ] as const;
  if (apps.length === 0)
    return (
      <section class="card">
        <Empty icon={ICON_PATHS.link} title={t('Nothing connected yet')}>
          <p class="muted">
            {t('Websites and AI clients appear here when you sign in there with your account.')}
          </p>
        </Empty>
      </section>
    );
  return cards
    .filter(([, list]) => list.length > 0)
    .map(([title, list]) => (
      <section key={title} class="card">
        <h2>
          {title}
          <span class="count">{list.length}</span>
        </h2>
        <ul>
          {list.map((app) => (
            <AppRow key={app[0].client_id} app={app} onChange={onChange} />
          ))}
        </ul>
      </section>
    ));
}

function AppRow({ app, onChange }: { app: App; onChange: () => void }) {
  const [{ id, client_name, client_kind, client_logo_url, client_host, last_used_at }] = app;
  const name = isChecked({ kind: client_kind })
    ? client_name
    : t('“{name}”', { name: client_name });
  const count = app.filter((grant) => grant.in_use).length;
  const use = [
    client_host ?? t('A program on a computer'),
    count > 1 && t('{count} devices', { count }),
    describeLastUse({ last_used_at }),
  ];
  const requests = {
    label: t('Show requests'),
    iconPath: ICON_PATHS.api,
    run: () => navigate(activityPath('requests', id)),
  };
  return (
    <ListRow
      sign={<WebsiteLogo url={client_logo_url} name={client_name} />}
      title={name}
      text={
        <>
          <p>{use.filter(Boolean).join(' · ')}</p>
          <p>{describeScopes(app)}</p>
        </>
      }
      actions={
        <Menu
          label={t('More for {name}', { name })}
          items={() => [
            ...(isWebsite(app) ? [] : [requests]),
            {
              label: t('Remove'),
              iconPath: BIN_ICON,
              isDangerous: true,
              run: () => remove(app, name, onChange),
            },
          ]}
        />
      }
    />
  );
}

function describeScopes(app: App): string {
  const scopes = new Set(app.flatMap((grant) => grant.scopes));
  const describe = (texts: Readonly<Record<string, string>>) =>
    formatList(
      Object.entries(texts)
        .filter(([scope]) => scopes.has(scope))
        .map(([, text]) => text),
    );
  if (scopes.has('operator')) return t('May do everything, with the tools of operators');
  if (scopes.has('all')) return t('May do everything');
  if (!isWebsite(app)) {
    const list = describe({
      read: t('read everything'),
      page: t('change your page'),
      metrics: t('send metrics'),
    });
    return t('May {list}', { list });
  }
  const list = describe({
    openid: t('an id of your account'),
    profile: t('your name, picture and page'),
    email: t('your email address'),
    groups: t('your groups'),
  });
  return t('Knows {list}', { list });
}

async function remove(app: App, name: string, onChange: () => void): Promise<void> {
  const isConfirmed = await confirm({
    title: t('Remove {name}?', { name }),
    text: isWebsite(app)
      ? t('It asks you again at the next sign-in. Your account there stays.')
      : t('It stops working right away. To use it again, connect it again.'),
    action: t('Remove'),
  });
  const { client_id } = app[0];
  if (!isConfirmed || !(await withErrorMessage(owner.grants.revokeGrant({ client_id })))) return;
  showMessage(t('Removed {name}.', { name }));
  onChange();
}
