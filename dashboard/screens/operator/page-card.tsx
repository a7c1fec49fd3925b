import { useSignal } from '@preact/signals';
import { dashboardHref } from '#dashboard/router.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

/** Shows operators a page that one of them hides. */
export function hiddenPageHref(accountId: string): string {
  return dashboardHref(`hidden-page?account_id=${accountId}`);
}

/** In place of the preview card of a page that has none. */
export function Initial({ name }: { name: string }) {
  return <span class="tile operator-card">{name.charAt(0).toUpperCase()}</span>;
}

/** The preview card of a visible page. */
export function PageCard({ name }: { name: string }) {
  const isBroken = useSignal(false);
  if (isBroken.value) return <Initial name={name} />;
  return (
    <img
      class="operator-card"
      src={`${pagesUrl}/@${name}/card.png`}
      width={1200}
      height={630}
      loading="lazy"
      alt={t('Preview of the page of {name}', { name })}
      onError={() => (isBroken.value = true)}
    />
  );
}
