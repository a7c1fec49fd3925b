import { useRef } from 'preact/hooks';
import { LIMITS } from '#contract/shared/limits.ts';
import { PICTURE_ACCEPT } from '#contract/shared/pictures.ts';
import { Field } from '#dashboard/components/field.tsx';
import { FileInput } from '#dashboard/components/file-input.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import { uploadPicture, useUpload } from '../page/picture-file.ts';
import type { Bind } from './instance-draft.ts';
import { instancePictureSrc } from './logo-field.tsx';

const CENTER = '50% 50%';
/** In percent of the picture, by the arrow keys. */
const STEP = 5;
const DIRECTIONS: Readonly<Record<string, [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function CoverField({ bind }: { bind: Bind }) {
  const { name, value, onValue } = bind('cover_url');
  const focus = bind('cover_focus');
  const fileInput = useRef<HTMLInputElement>(null);
  const upload = useUpload();
  const choose = () => fileInput.current!.click();
  const remove = () => {
    for (const field of ['cover_url', 'cover_description', 'cover_focus'] as const)
      bind(field).onValue('');
  };
  const src = instancePictureSrc(value);
  return (
    <section class="card cover-field">
      <div class="row">
        <h2>{t('Picture of the club')}</h2>
        {value && (
          <>
            <button type="button" class="quiet" aria-busy={upload.isBusy} onClick={choose}>
              {t('Replace')}
            </button>
            <button type="button" class="quiet" onClick={remove}>
              {t('Remove')}
            </button>
          </>
        )}
      </div>
      {value ? (
        <>
          <div class="covers">
            <FocusPicker src={src} value={focus.value} onValue={focus.onValue} />
            <figure>
              <img src={src} alt="" style={{ objectPosition: focus.value || CENTER }} />
              <figcaption class="hint">{t('On phones')}</figcaption>
            </figure>
          </div>
          <Field
            {...bind('cover_description')}
            label={t('Alt text')}
            maxLength={LIMITS.instanceCoverDescription}
          />
        </>
      ) : (
        <button type="button" class="cover-empty" aria-busy={upload.isBusy} onClick={choose}>
          <Icon path={ICON_PATHS.image} />
          <strong>{t('Add a picture of your club')}</strong>
          <span class="hint">
            {t('Wide, at least 1,200 pixels. Without one, your name plate is shown.')}
          </span>
        </button>
      )}
      <p class={upload.problem ? 'error' : 'hint'} role="status">
        {upload.problem ?? (upload.isBusy && t('Uploading…'))}
      </p>
      <FileInput
        inputRef={fileInput}
        name={name}
        accept={PICTURE_ACCEPT}
        aria-label={t('File for {label}', { label: t('Picture of the club') })}
        onFile={(file) => void upload.run(() => uploadPicture(file, onValue))}
      />
    </section>
  );
}

function FocusPicker({
  src,
  value,
  onValue,
}: {
  src: string;
  value: string;
  onValue: (value: string) => void;
}) {
  const position = value || CENTER;
  const [x = 50, y = 50] = position.split(' ').map(Number.parseFloat);
  const moveTo = (...point: number[]) =>
    onValue(point.map((part) => `${Math.round(Math.min(100, Math.max(0, part)))}%`).join(' '));
  const drag = (event: PointerEvent) => {
    if (event.buttons !== 1) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    moveTo(
      ((event.clientX - box.left) / box.width) * 100,
      ((event.clientY - box.top) / box.height) * 100,
    );
  };
  const step = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (!direction) return;
    event.preventDefault();
    moveTo(x + direction[0] * STEP, y + direction[1] * STEP);
  };
  return (
    <figure>
      <div class="cover-frame" onPointerDown={drag} onPointerMove={drag}>
        <img src={src} alt="" draggable={false} style={{ objectPosition: position }} />
        <button
          type="button"
          class="focus-ring"
          style={{ left: `${x}%`, top: `${y}%` }}
          aria-label={t('In view: {x}% from the left, {y}% from the top. Arrow keys move it.', {
            x,
            y,
          })}
          onKeyDown={step}
        />
      </div>
      <figcaption class="hint">{t('Drag the ring to the most important part.')}</figcaption>
    </figure>
  );
}
