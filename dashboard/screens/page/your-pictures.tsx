import { picturePath } from '#contract/pictures.ts';
import { owner } from '#dashboard/api/api.ts';
import { sentenceOf } from '#dashboard/api/sentence-of.ts';
import { confirm } from '#dashboard/parts/confirm.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { say } from '#dashboard/parts/messages.tsx';
import { Empty, Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';

const MEGABYTE = 1_000_000;

export function YourPictures({
  onUse,
  onCancel,
}: {
  onUse: (address: string) => void;
  onCancel: () => void;
}) {
  const loaded = useLoaded(() => owner.pictures.listPictures());
  const remove = async (pictureId: string) => {
    const isSure = await confirm({
      title: 'Delete this picture?',
      text: 'It also disappears from your page. You cannot undo this.',
      action: 'Delete',
    });
    if (!isSure) return;
    try {
      await owner.pictures.deletePicture({ pictureId });
    } catch (error) {
      say(sentenceOf(error));
    }
    loaded.reload();
  };
  return (
    <Dialog title="Your pictures" onCancel={onCancel}>
      <Show loaded={loaded}>
        {({ pictures, bytes, limit }) =>
          pictures.length === 0 ? (
            <Empty title="No pictures yet" />
          ) : (
            <>
              <ul class="pictures">
                {pictures.map(({ id, url, width, height }, index) => (
                  <li key={id}>
                    <button type="button" class="use" onClick={() => onUse(url)}>
                      <img src={picturePath(id, 512)} alt="" loading="lazy" />
                      <span class="unseen">
                        Use picture {index + 1}, {width} by {height} pixels
                      </span>
                    </button>
                    <button type="button" class="icon-button" onClick={() => void remove(id)}>
                      <Icon lines={LINES.close} />
                      <span class="unseen">Delete picture {index + 1}</span>
                    </button>
                  </li>
                ))}
              </ul>
              {limit !== null && (
                <p class="hint">
                  {(bytes / MEGABYTE).toFixed(1)} of {limit / MEGABYTE} MB used.
                </p>
              )}
            </>
          )
        }
      </Show>
    </Dialog>
  );
}
