import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { displayName } from '#dashboard/display-name.ts';
import { instanceName } from '#dashboard/instance.ts';
import { dashboardHref, revisitCount } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { ToDoList } from './todo.tsx';

/** Home for operators without a page. */
export function FirstDay({ children }: { children: ComponentChildren }) {
  const state = useAsync(async () => owner.server.getServer(), [revisitCount.value], {
    keepsOldValue: true,
  });
  const openCode = useSignal<string | undefined>(undefined);
  return (
    <>
      <ScreenHeader
        title={t('Home')}
        heading={t('{instance} is up', { instance: instanceName.value })}
        subtitle={new URL(pagesUrl).host}
      />
      {children}
      <div class="main-and-side">
        <div>
          <AsyncContent state={state}>
            {(server) => <ToDoList server={server} onChange={state.reload} openCode={openCode} />}
          </AsyncContent>
        </div>
        <div>
          <section class="card">
            <h2>{t('What people see')}</h2>
            <p class="hint">{t('The front page carries your name, logo and color.')}</p>
            <a class="button" href={`${pagesUrl}/`} target="_blank" rel="noreferrer">
              {t('Front page')}
              <Icon path={ICON_PATHS.externalLink} />
            </a>
          </section>
          <section class="card">
            <h2>{t('You are a member, too')}</h2>
            <p class="hint">
              {displayName.value
                ? t('@{name} is yours. Your page can wait.', { name: displayName.value })
                : t('Your page can wait. But invitations do not name you until you have a name.')}
            </p>
            <a class="button" href={dashboardHref('?name=')}>
              {displayName.value ? t('Edit page') : t('Claim your name')}
            </a>
          </section>
        </div>
      </div>
    </>
  );
}
