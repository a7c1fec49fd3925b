import { useSignal } from '@preact/signals';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pageSuspensionReason } from '#dashboard/current-account.ts';
import { displayName } from '#dashboard/display-name.ts';
import { loadPageVisibility, setPageVisibility } from '#dashboard/page-visibility.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { draftBlocks } from './block-actions.ts';

export type SiteStatus = ReturnType<typeof useSiteStatus>;

export function useSiteStatus() {
  return useAsync(loadPageVisibility);
}

export function canSetVisibility(): boolean {
  return Boolean(displayName.value) && pageSuspensionReason.value === null;
}

/** Whether “Publish page” is shown. It also saves. */
export function canPublish(status: SiteStatus): boolean {
  return status.value === 'hidden' && canSetVisibility();
}

export async function publishPage(status: SiteStatus): Promise<void> {
  if (await setPageVisibility('public')) status.reload();
}

/** Links to the published page. A hidden page gets a “Publish page” button instead. */
export function ViewPageButton({ status }: { status: SiteStatus }) {
  const name = displayName.value;
  const isBusy = useSignal(false);
  if (name === undefined || !status.value)
    return (
      <button type="button" class="view-page" disabled>
        {t('View page')}
        <Icon path={ICON_PATHS.externalLink} />
      </button>
    );
  if (!name)
    return (
      <a class="button" href={dashboardHref('')}>
        {t('Claim name')}
      </a>
    );
  if (status.value !== 'hidden')
    return (
      <a class="button view-page" href={`${pagesUrl}/@${name}`} target="_blank">
        {t('View page')}
        <Icon path={ICON_PATHS.externalLink} />
      </a>
    );
  if (pageSuspensionReason.value !== null)
    return (
      <a class="pill bad" href={dashboardHref('')}>
        {t('Page hidden')}
      </a>
    );
  const publish = async () => {
    isBusy.value = true;
    await publishPage(status);
    isBusy.value = false;
  };
  return (
    <button
      type="button"
      class={draftBlocks.value.length > 0 ? 'primary' : undefined}
      disabled={isBusy.value}
      onClick={() => void publish()}
    >
      {t('Publish page')}
    </button>
  );
}
