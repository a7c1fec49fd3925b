import { useRef } from 'preact/hooks';
import { type BlockField, maxLengthFor } from '#contract/shared/blocks.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { PICTURE_ACCEPT } from '#contract/shared/pictures.ts';
import { isOffline } from '#dashboard/api/connection.ts';
import { Field } from '#dashboard/components/field.tsx';
import { FileInput } from '#dashboard/components/file-input.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { announce, showError, showMessage } from '#dashboard/components/messages.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { t } from '#dashboard/translate.ts';
import { showUndo } from './block-actions.ts';
import { draft } from './current-draft.ts';
import { DragHandle, dragClass } from './drag-handle.tsx';
import { DropTarget, PictureThumb } from './picture-field.tsx';
import { PICTURE_UPLOADS } from './picture-file.ts';
import { openPictures } from './picture-picker.tsx';
import { type PictureItem, UploadQueue } from './upload-queue.ts';

export function listFull(limit: number): string {
  return t('A list has at most {limit} items. Remove one to add another.', { limit });
}

/** By list, because uploads continue when the form closes. */
const queues = new Map<string, UploadQueue>();

function queueOf(blockId: string, name: string): UploadQueue {
  const key = `${blockId}.${name}`;
  const items = () => itemsOf(draft.site.value?.blocks.find(({ id }) => id === blockId)?.[name]);
  const queue =
    queues.get(key) ??
    new UploadQueue({
      items,
      insert: (url, index) =>
        draft.changeBlock(blockId, name, { [name]: items().toSpliced(index, 0, { url }) }),
      showError,
      explainFailure: (text) => (isInView(key) ? announce : showMessage)(text),
      ...PICTURE_UPLOADS,
    });
  if (!queues.has(key)) addEventListener('online', () => queue.resume());
  queues.set(key, queue);
  return queue;
}

/** Whether the label, directly above the failed uploads, is on the screen. */
function isInView(labelId: string): boolean {
  const { top = -1 } = document.getElementById(labelId)?.getBoundingClientRect() ?? {};
  return top > 0 && top < innerHeight / 2;
}

function itemsOf(value: unknown): PictureItem[] {
  return Array.isArray(value) ? (value as PictureItem[]) : [];
}

const PICTURE_TEXTS = ['caption', 'alt'] as const;

interface PictureListProps {
  blockId: string;
  name: string;
  field: BlockField;
  label: string;
  value: unknown;
  onValue: (items: PictureItem[]) => void;
}

/**
 * Pictures with their texts, in an order that the user can change. Files that failed are above them,
 * where the user chose the files.
 */
export function PictureList(props: PictureListProps) {
  const { blockId, name, field, label, value, onValue } = props;
  const listId = `${blockId}.${name}`;
  const list = useRef<HTMLOListElement>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const replaced = useRef<File>(undefined);
  const queue = queueOf(blockId, name);
  const items = itemsOf(value);
  const chooseFiles = (failed?: File) => {
    replaced.current = failed;
    fileInput.current!.click();
  };
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= items.length) return;
    onValue(items.toSpliced(from, 1).toSpliced(to, 0, items[from]!));
    list.current!.querySelectorAll<HTMLElement>('.grip')[to]?.focus();
    announce(t('Picture {position} of {count}.', { position: to + 1, count: items.length }));
  };
  return (
    <DropTarget labelId={listId} onFiles={(files) => queue.add(files)}>
      <span id={listId} class="label">
        {label}
      </span>
      <AddPictures queue={queue} onChoose={chooseFiles} />
      <FileInput
        inputRef={fileInput}
        accept={PICTURE_ACCEPT}
        multiple
        aria-label={t('File for {label}', { label })}
        onFile={(_first, files) => queue.add(files, replaced.current)}
      />
      <Uploads queue={queue} onReplace={chooseFiles} />
      {items.length > 0 && (
        <p class="hint">
          {PICTURE_TEXTS.map((text) => field.itemFields![text]!)
            .map(({ label: textLabel, help }) => `${textLabel}: ${help}`)
            .join(' ')}
        </p>
      )}
      {items.length > 0 && (
        <ol ref={list} class="picture-list">
          {items.map((item, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the inputs are controlled
            <li key={index} class={`row ${dragClass(listId, index)}`}>
              <DragHandle
                list={listId}
                label={t('picture {number}', { number: index + 1 })}
                index={index}
                onMove={(to) => move(index, to)}
              />
              <PictureRow
                {...props}
                item={item}
                index={index}
                onItem={(next) => onValue(items.toSpliced(index, 1, ...(next ? [next] : [])))}
              />
            </li>
          ))}
        </ol>
      )}
    </DropTarget>
  );
}

function PictureRow({
  blockId,
  name,
  field: { itemFields = {} },
  item,
  index,
  onItem,
}: PictureListProps & {
  item: PictureItem;
  index: number;
  onItem: (item: PictureItem | undefined) => void;
}) {
  return (
    <>
      <PictureThumb address={item.url ?? ''} />
      <div
        class="picture-texts"
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      >
        {PICTURE_TEXTS.map((text) => (
          <Field
            key={text}
            name={`${blockId}.${name}.${index}.${text}`}
            label={`${itemFields[text]!.label} ${index + 1}`}
            maxLength={maxLengthFor(itemFields[text]!)}
            value={item[text] ?? ''}
            // Grows with the text. Line breaks become spaces.
            rows={1}
            onValue={(written) => {
              const newText = written.replaceAll('\n', ' ');
              const { [text]: _old, ...rest } = item;
              onItem(newText === '' ? rest : { ...rest, [text]: newText });
            }}
          />
        ))}
      </div>
      <button
        type="button"
        class="icon-button"
        onClick={() => {
          onItem(undefined);
          showUndo(t('Removed a picture.'));
        }}
      >
        <Icon path={ICON_PATHS.close} />
        <span class="visually-hidden">{t('Remove picture {number}', { number: index + 1 })}</span>
      </button>
    </>
  );
}

function Uploads({ queue, onReplace }: { queue: UploadQueue; onReplace: (failed: File) => void }) {
  const interruption = queue.interruption.value;
  const uploads = queue.uploads.value.filter(({ state }) => state !== 'done');
  const waiting = uploads.filter(({ state }) => state === 'waiting');
  const rows = interruption ? uploads.filter(({ state }) => state !== 'waiting') : uploads;
  const failed = uploads.filter(({ state }) => state === 'failed');
  if (uploads.length === 0) return null;
  return (
    <ul class="picture-list">
      {rows.map(({ file, state, problem }) => (
        <li key={file} class="row">
          <div class="upload">
            <span class="ellipsis">{file.name}</span>
            {problem ? (
              <p class="error">{problem}</p>
            ) : (
              state === 'uploading' && <progress aria-label={t('Uploading…')} />
            )}
          </div>
          {problem && (
            <>
              <button
                type="button"
                class="small"
                disabled={queue.room <= 0}
                onClick={() => onReplace(file)}
              >
                {t('Replace')}
              </button>
              <button type="button" class="small" onClick={() => queue.dismiss(file)}>
                {t.rich('Remove<hidden> {name}</hidden>', {
                  name: file.name,
                  hidden: visuallyHidden,
                })}
              </button>
            </>
          )}
        </li>
      ))}
      {failed.length > 1 && (
        <li>
          <button
            type="button"
            class="link"
            onClick={() => failed.forEach(({ file }) => queue.dismiss(file))}
          >
            {t('Remove these {count} files', { count: failed.length })}
          </button>
        </li>
      )}
      {interruption && waiting.length > 0 && (
        <li class="row">
          <p class="upload error">
            {t(
              '{count, plural, one {# picture is} other {# pictures are}} not uploaded yet: {problem}',
              { count: waiting.length, problem: interruption },
            )}{' '}
            {isOffline.value && t('The upload continues when you are back online.')}
          </p>
          <button type="button" class="small" onClick={() => queue.resume()}>
            {t('Try again')}
          </button>
          <button
            type="button"
            class="icon-button"
            onClick={() => waiting.forEach(({ file }) => queue.dismiss(file))}
          >
            <Icon path={ICON_PATHS.close} />
            <span class="visually-hidden">{t('Cancel')}</span>
          </button>
        </li>
      )}
    </ul>
  );
}

function AddPictures({ queue, onChoose }: { queue: UploadQueue; onChoose: () => void }) {
  const { room } = queue;
  const uploads = queue.uploads.value.filter(({ state }) => state !== 'failed');
  const finished = uploads.filter(({ state }) => state === 'done').length;
  return (
    <>
      <div class="picture-row actions">
        <button type="button" disabled={room <= 0} onClick={() => onChoose()}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add pictures')}
        </button>
        {room > 0 && (
          <button
            type="button"
            class="link"
            onClick={() => void openPictures((url) => queue.addAddress(url))}
          >
            {t('Your pictures')}
          </button>
        )}
      </div>
      <p class="hint" role="status">
        {!queue.interruption.value && finished < uploads.length
          ? t('Uploading {number} of {count}…', { number: finished + 1, count: uploads.length })
          : room > 0
            ? t('Choose, paste or drop pictures, up to {limit} in all. Animations become still.', {
                limit: LIMITS.blockItems,
              })
            : listFull(LIMITS.blockItems)}
      </p>
    </>
  );
}
