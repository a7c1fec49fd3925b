import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { parseStoredPicture } from '#contract/pictures.ts';
import { Field } from '#dashboard/components/field.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
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
import { PicturePicker } from './picture-picker.tsx';
import './picture-field.css';

interface PictureFieldProps {
  name: string;
  label: string;
  hint?: string | undefined;
  error: string | undefined;
  value: string;
  onValue: (address: string) => void;
  /** Crops the picture to a square. The thumbnail is a circle. */
  isSquare?: boolean;
  alt?: string | undefined;
  onAlt?: (alt: string) => void;
}

export function PictureField({
  name,
  label,
  hint,
  error,
  value,
  onValue,
  isSquare = false,
  alt,
  onAlt = () => undefined,
}: PictureFieldProps) {
  const id = useId();
  const fileInput = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const bitmap = useSignal<ImageBitmap | undefined>(undefined);
  const isBusy = useSignal(false);
  const isDragOver = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const storedPicture = parseStoredPicture(value);
  const showsAddress = useSignal(value !== '' && !storedPicture);
  const showsPicturePicker = useSignal(false);

  const withBusyState = async (action: () => Promise<void>) => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      await action();
    } catch (cause) {
      problem.value = fileErrorMessage(cause);
    } finally {
      isBusy.value = false;
    }
  };
  const setAddress = (address: string) => {
    showsAddress.value = false;
    onValue(address);
  };
  const loadFile = (blob: Blob | undefined) => {
    if (!blob || isBusy.peek()) return;
    void withBusyState(async () => {
      const decodedBitmap = await decodePicture(blob);
      // If the browser cannot decode the file, upload it anyway: the server knows the reason.
      if (decodedBitmap) bitmap.value = decodedBitmap;
      else await uploadPicture(blob, setAddress);
    });
  };
  const closeCropDialog = () => {
    bitmap.peek()?.close();
    bitmap.value = undefined;
    chooseButton.current?.focus();
  };

  return (
    <div
      class={`field picture-field${isDragOver.value ? ' over' : ''}`}
      role="group"
      aria-labelledby={id}
      onPaste={(event) => {
        const [pastedFile] = event.clipboardData?.files ?? [];
        if (!pastedFile) return;
        event.preventDefault();
        loadFile(pastedFile);
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        isDragOver.value = true;
      }}
      onDragLeave={() => (isDragOver.value = false)}
      onDrop={(event) => {
        isDragOver.value = false;
        const [droppedFile] = event.dataTransfer?.files ?? [];
        if (!droppedFile) return;
        event.preventDefault();
        loadFile(droppedFile);
      }}
    >
      <span id={id} class="label">
        {label}
      </span>
      <div class="picture-row">
        <span class={`picture-thumb${isSquare ? ' round' : ''}`}>
          {value && !error ? (
            <img src={pictureSrc(value)} alt="" />
          ) : (
            <Icon path={ICON_PATHS.image} />
          )}
        </span>
        <div class="picture-actions">
          <div class="actions">
            <button
              ref={chooseButton}
              type="button"
              aria-busy={isBusy.value}
              aria-describedby={`${id}-state`}
              onClick={() => fileInput.current!.click()}
            >
              {value ? t('Replace') : t('Choose picture')}
            </button>
            {value && (
              <button type="button" class="quiet" onClick={() => setAddress('')}>
                {t('Remove')}
              </button>
            )}
          </div>
          <div class="actions links">
            <button type="button" class="link" onClick={() => (showsPicturePicker.value = true)}>
              {t('Your pictures')}
            </button>
            <button
              type="button"
              class="link"
              aria-expanded={showsAddress.value}
              onClick={() => (showsAddress.value = !showsAddress.value)}
            >
              {t('Use a link')}
            </button>
          </div>
        </div>
      </div>
      <input
        ref={fileInput}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('File for {label}', { label })}
        onChange={({ currentTarget }) => {
          loadFile(currentTarget.files?.[0]);
          // Otherwise choosing the same file again would not fire `change`.
          currentTarget.value = '';
        }}
      />
      <p id={`${id}-state`} class="hint" role="status">
        {isBusy.value ? t('Uploading…') : (hint ?? t('Choose, paste or drop a picture.'))}
      </p>
      {isBusy.value && <progress aria-label={t('Uploading…')} />}
      {problem.value && (
        <p class="error" role="alert">
          {problem.value}
        </p>
      )}
      {showsAddress.value && (
        <Field
          name={name}
          label={t('Address')}
          type="url"
          placeholder="https://"
          maxLength={MAX_ADDRESS_LENGTH}
          error={error}
          value={value}
          onValue={(newValue) => onValue(withoutDoubledScheme(newValue))}
          onFocus={() => (activeUrlPath.value = name.split('.')[0]!)}
          onBlur={() => {
            activeUrlPath.value = '';
            const urlWithScheme = withScheme(value);
            if (urlWithScheme !== value) onValue(urlWithScheme);
          }}
        />
      )}
      {showsPicturePicker.value && (
        <PicturePicker
          onUse={(address) => {
            showsPicturePicker.value = false;
            setAddress(address);
          }}
          onCancel={() => (showsPicturePicker.value = false)}
        />
      )}
      {bitmap.value && (
        <CropDialog
          bitmap={bitmap.value}
          isSquare={isSquare}
          alt={alt}
          onAlt={onAlt}
          onCancel={closeCropDialog}
          onUse={(canvas) =>
            void withBusyState(async () => {
              const croppedFile = await canvasToBlob(canvas);
              closeCropDialog();
              await uploadPicture(croppedFile, setAddress);
            })
          }
        />
      )}
    </div>
  );
}
