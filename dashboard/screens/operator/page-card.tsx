import { useSignal } from '@preact/signals';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

/** The preview card of a visible page. Renders nothing if it cannot be loaded. */
export function PageCard({ name }: { name: string }) {
  const isBroken = useSignal(false);
  if (isBroken.value) return null;
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
