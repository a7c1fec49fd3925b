import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent, Empty } from '#dashboard/components/async-content.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { Notice } from '#dashboard/components/notice.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { currentPath, dashboardHref, navigate } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { WebsiteDetail } from './website-detail.tsx';
import { WebsiteForm } from './website-form.tsx';
import { WebsiteLogo } from './website-logo.tsx';
import {
  describeLastUse,
  describePeople,
  hostOf,
  LIST_PARENT,
  type NewSecret,
  type Website,
} from './website.ts';
import './websites.css';

export function Websites() {
  const [, , id] = currentPath.value.split('/');
  const state = useAsync(() => owner.clients.listClients(), [id], { keepsOldValue: true });
  /** Kept until the operator has saved it or leaves these screens. */
  const newSecret = useSignal<NewSecret>();
  /** Shown before the list is loaded again. */
  const saved = useSignal<Website>();
  const deletedId = useSignal<string>();
  const clients = state.value?.clients.filter((other) => other.id !== deletedId.value) ?? [];
  const refresh = (website: Website) => {
    saved.value = website;
    state.reload();
  };
  const notice = state.value?.issuer === null && <IssuerMissing />;
  if (id === 'add')
    return (
      <>
        <ScreenHeader title={t('Add a website')} parent={LIST_PARENT} />
        {notice}
        <WebsiteForm
          onSaved={(website, secret) => {
            if (secret !== null) newSecret.value = { id: website.id, secret };
            refresh(website);
            navigate(`${LIST_PARENT.path}/${website.id}`, { replace: true });
          }}
        />
      </>
    );
  const website = [...clients, saved.value].find((other) => other?.id === id);
  const forget = () => {
    deletedId.value = id;
    saved.value = undefined;
    navigate(LIST_PARENT.path);
  };
  if (website)
    return (
      <WebsiteDetail
        key={id}
        website={website}
        newSecret={newSecret}
        onSaved={refresh}
        onDeleted={forget}
      />
    );
  return (
    <>
      <ScreenHeader
        title={t('Websites')}
        subtitle={t('Where members sign in with their account here.')}
      >
        <a class="button primary" href={dashboardHref(`${LIST_PARENT.path}/add`)}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add a website')}
        </a>
      </ScreenHeader>
      {notice}
      <AsyncContent state={state}>
        {() => (clients.length === 0 ? <NoWebsites /> : <List websites={clients} />)}
      </AsyncContent>
    </>
  );
}

function IssuerMissing() {
  return (
    <Notice
      title={t('Nobody can sign in to websites yet')}
      text={t(
        'This server needs PUBLIC_URL (https, or http://localhost to try it) and, with DATABASE_URL, also ENCRYPTION_KEY. Ask the person who installed it.',
      )}
    />
  );
}

function NoWebsites() {
  return (
    <section class="card">
      <Empty icon={ICON_PATHS.globe} title={t('One name for the wiki, the cloud and the forum')}>
        <p class="muted">
          {t(
            'Members sign in there with their account here. When members leave, they are signed out everywhere.',
          )}
        </p>
      </Empty>
    </section>
  );
}

function List({ websites }: { websites: readonly Website[] }) {
  return (
    <section class="card">
      <ul>
        {websites.map((website) => (
          <ListRow
            key={website.id}
            sign={<WebsiteLogo url={website.logo_url} name={website.name} />}
            title={<a href={dashboardHref(`${LIST_PARENT.path}/${website.id}`)}>{website.name}</a>}
            text={hostOf(website)}
            end={
              <>
                {website.logout_failed_at && <span class="pill bad">{t('Logout failed')}</span>}
                {website.allowed === 'operators' && <span class="pill">{t('Operators')}</span>}
                {website.allowed === 'groups' && <span class="pill">{t('Groups')}</span>}
                <span>{describePeople(website)}</span>
                <span>{describeLastUse(website)}</span>
              </>
            }
          />
        ))}
      </ul>
    </section>
  );
}
