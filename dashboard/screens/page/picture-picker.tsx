import { picturePath } from '#contract/shared/pictures.ts';
import { owner } from '#dashboard/api/api.ts';
import { errorMessage } from '#dashboard/api/error-message.ts';
import { Empty, AsyncContent } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';

const MEGABYTE = 1_000_000;
const USED_FORMAT = new Intl.NumberFormat(t.locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export async function openPictures(onUse: (address: string) => void): Promise<void> {
  const address = await showDialog<string>(t('Your pictures'), (close) => (
    <PicturePicker onUse={close} />
  ));
  if (address !== undefined) onUse(address);
}

function PicturePicker({ onUse }: { onUse: (address: string) => void }) {
  const loaded = useAsync(() => owner.pictures.listPictures());
  const remove = async (pictureId: string) => {
    const isSure = await confirm({
      title: t('Delete this picture?'),
      text: t('It also disappears from your page. You cannot undo this.'),
      action: t('Delete'),
    });
    if (!isSure) return;
    try {
      await owner.pictures.deletePicture({ picture_id: pictureId });
    } catch (error) {
      showMessage(errorMessage(error));
    }
    loaded.reload();
  };
  return (
    <AsyncContent state={loaded}>
      {({ pictures, bytes, limit }) =>
        pictures.length === 0 ? (
          <Empty title={t('No pictures yet')} />
        ) : (
          <>
            <ul class="pictures">
              {pictures.map(({ id, url, width, height }, index) => (
                <li key={id}>
                  <button type="button" class="use" onClick={() => onUse(url)}>
                    <img src={picturePath(id, 512)} alt="" loading="lazy" />
                    <span class="visually-hidden">
                      {t('Use picture {number}, {width} by {height} pixels', {
                        number: index + 1,
                        width,
                        height,
                      })}
                    </span>
                  </button>
                  <button type="button" class="icon-button" onClick={() => void remove(id)}>
                    <Icon path={ICON_PATHS.close} />
                    <span class="visually-hidden">
                      {t('Delete picture {number}', { number: index + 1 })}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            {limit !== null && (
              <p class="hint">
                {t('{used} of {limit, number} MB used.', {
                  used: USED_FORMAT.format(bytes / MEGABYTE),
                  limit: limit / MEGABYTE,
                })}
              </p>
            )}
          </>
        )
      }
    </AsyncContent>
  );
}
