import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { parseStoredPicture } from '#contract/pictures.ts';
import { Field } from '#dashboard/parts/field.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { CropDialog } from './crop-dialog.tsx';
import { activeUrlPath } from './validation.ts';
import {
  canvasToBlob,
  decodePicture,
  fileErrorMessage,
  pictureSrc,
  uploadPicture,
} from './picture-file.ts';
import { MAX_ADDRESS_LENGTH, withScheme, withoutDoubledScheme } from './web-address.ts';
import { YourPictures } from './your-pictures.tsx';
import './picture-field.css';

interface PictureFieldProps {
  /** The name of the field in the API. */
  name: string;
  label: string;
  hint?: string | undefined;
  /** Flaw of the address. */
  flaw: string | undefined;
  /** Address of the picture; empty if there is none. */
  value: string;
  onValue: (address: string) => void;
  /** Whether pictures are cut to a square. */
  isSquare?: boolean;
  /** Text for visitors who do not see the picture, where there is a place for it. */
  alt?: string | undefined;
  onAlt?: (alt: string) => void;
}

/** A picture: chosen, pasted or dropped, cut and uploaded; or at an address elsewhere. */
export function PictureField({
  name,
  label,
  hint,
  flaw,
  value,
  onValue,
  isSquare = false,
  alt,
  onAlt = () => undefined,
}: PictureFieldProps) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const cut = useSignal<ImageBitmap | undefined>(undefined);
  const isBusy = useSignal(false);
  const isOver = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const own = parseStoredPicture(value);
  const byAddress = useSignal(value !== '' && !own);
  const isChoosing = useSignal(false);

  const run = async (work: () => Promise<void>) => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      await work();
    } catch (error) {
      problem.value = fileErrorMessage(error);
    } finally {
      isBusy.value = false;
    }
  };
  const use = (address: string) => {
    byAddress.value = false;
    onValue(address);
  };
  const take = (chosen: Blob | undefined) => {
    if (!chosen || isBusy.peek()) return;
    void run(async () => {
      const bitmap = await decodePicture(chosen);
      // The server knows why.
      if (bitmap) cut.value = bitmap;
      else use(await uploadPicture(chosen));
    });
  };
  const leave = () => {
    cut.peek()?.close();
    cut.value = undefined;
    button.current?.focus();
  };

  return (
    <div
      class={`field picture-field${isOver.value ? ' over' : ''}`}
      role="group"
      aria-labelledby={id}
      onPaste={(event) => {
        const [pasted] = event.clipboardData?.files ?? [];
        if (!pasted) return;
        event.preventDefault();
        take(pasted);
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        isOver.value = false;
        const [dropped] = event.dataTransfer?.files ?? [];
        if (!dropped) return;
        event.preventDefault();
        take(dropped);
      }}
    >
      <span id={id} class="label">
        {label}
      </span>
      <div class="picture-row">
        <span class={`picture-thumb${isSquare ? ' round' : ''}`}>
          {value && !flaw ? <img src={pictureSrc(value)} alt="" /> : <Icon lines={LINES.image} />}
        </span>
        <div class="picture-ways">
          <div class="actions">
            <button
              ref={button}
              type="button"
              aria-busy={isBusy.value}
              aria-describedby={`${id}-state`}
              onClick={() => file.current!.click()}
            >
              {value ? 'Replace' : 'Choose picture'}
            </button>
            {value && (
              <button type="button" class="quiet" onClick={() => use('')}>
                Remove
              </button>
            )}
          </div>
          <div class="actions links">
            <button type="button" class="link" onClick={() => (isChoosing.value = true)}>
              Your pictures
            </button>
            <button
              type="button"
              class="link"
              aria-expanded={byAddress.value}
              onClick={() => (byAddress.value = !byAddress.value)}
            >
              Use an address
            </button>
          </div>
        </div>
      </div>
      <input
        ref={file}
        type="file"
        accept="image/*"
        hidden
        aria-label={`File for ${label}`}
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          // Choosing one file twice is a change, too.
          currentTarget.value = '';
        }}
      />
      <p id={`${id}-state`} class="hint" role="status">
        {isBusy.value ? 'Uploading…' : (hint ?? 'Choose, paste or drop a picture.')}
      </p>
      {isBusy.value && <progress aria-label="Uploading" />}
      {problem.value && (
        <p class="error" role="alert">
          {problem.value}
        </p>
      )}
      {byAddress.value && (
        <Field
          name={name}
          label="Address"
          type="url"
          placeholder="https://"
          maxLength={MAX_ADDRESS_LENGTH}
          flaw={flaw}
          value={value}
          onValue={(typed) => onValue(withoutDoubledScheme(typed))}
          onFocus={() => (activeUrlPath.value = name.split('.')[0]!)}
          onLeave={() => {
            activeUrlPath.value = '';
            const complete = withScheme(value);
            if (complete !== value) onValue(complete);
          }}
        />
      )}
      {isChoosing.value && (
        <YourPictures
          onUse={(address) => {
            isChoosing.value = false;
            use(address);
          }}
          onCancel={() => (isChoosing.value = false)}
        />
      )}
      {cut.value && (
        <CropDialog
          bitmap={cut.value}
          isSquare={isSquare}
          alt={alt}
          onAlt={onAlt}
          onCancel={leave}
          onUse={(canvas) =>
            void run(async () => {
              const cropped = await canvasToBlob(canvas);
              leave();
              use(await uploadPicture(cropped));
            })
          }
        />
      )}
    </div>
  );
}
