import { useEffect } from 'preact/hooks';
import { owner } from '#dashboard/api/api.ts';
import { errorMessage } from '#dashboard/api/error-message.ts';
import { showMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { usePolling } from '#dashboard/components/use-polling.ts';
import { t } from '#dashboard/translate.ts';
import { coverVersion, draft } from './current-draft.ts';
import { PictureThumb } from './picture-field.tsx';

/** What the service of a saved link or embed says about its address. Nothing for other addresses. */
export function BlockCover({ url }: { url: string | undefined }) {
  const { value, reload, poll } = useAsync(
    () => owner.pictures.listCovers(),
    [draft.version.value],
    {
      keepsOldValue: true,
    },
  );
  const covers = JSON.stringify(value?.covers ?? '');
  // The preview is made anew when a cover has come.
  useEffect(() => void (coverVersion.value = covers), [covers]);
  const cover = value?.covers.find((one) => one.url === url);
  const isPending = cover?.state === 'pending';
  usePolling(isPending ? 'progress' : undefined, poll);
  if (!cover) return null;
  const { state, title, picture_url } = cover;
  const update = (removed: boolean) =>
    owner.pictures
      .updateCover({ url: cover.url, removed })
      .then(reload, (error: unknown) => showMessage(errorMessage(error)));
  return (
    <div class="field block-cover">
      <span class="label">{t('Cover')}</span>
      <div class="picture-row">
        <PictureThumb address={picture_url ?? ''} />
        <div class="picture-actions">
          <span role="status">{state === 'found' ? title : STATES.get(state)}</span>
          <div class="actions">
            {!isPending && (
              <button type="button" onClick={() => void update(false)}>
                {t('Look again')}
              </button>
            )}
            {state !== 'removed' && (
              <button type="button" class="quiet" onClick={() => void update(true)}>
                {t('Remove')}
              </button>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

const STATES = new Map<string, string>(
  Object.entries({
    pending: t('Looking for the cover…'),
    removed: t('You removed the cover.'),
    not_found: t('The service has no public page at this address. Check the address.'),
    unreachable: t('The service did not respond as expected. Look again later.'),
    no_cover: t('The service has no cover that can be used.'),
    picture_limit: t('There is no room for the cover. Delete a picture, or look again in an hour.'),
    rate_limited: t('The page has many new covers. Look again in an hour.'),
  }),
);
