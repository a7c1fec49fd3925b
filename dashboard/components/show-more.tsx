import { t } from '#dashboard/translate.ts';
export function ShowMore({ onMore }: { onMore: (() => void) | undefined }) {
  if (!onMore) return null;
  return (
    <div class="actions">
      <button type="button" onClick={onMore}>
        {t('Show more')}
      </button>
    </div>
  );
}
