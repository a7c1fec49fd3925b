import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { parseStoredPicture, PICTURE_ACCEPT } from '#contract/shared/pictures.ts';
import { isReachable } from '#dashboard/api/connection.ts';
import { Field } from '#dashboard/components/field.tsx';
import { FileInput } from '#dashboard/components/file-input.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import { CropDialog } from './crop-dialog.tsx';
import {
  canvasToBlob,
  decodePicture,
  pictureSrc,
  uploadPicture,
  useUpload,
} from './picture-file.ts';
import { openPictures } from './picture-picker.tsx';
import { activeUrlPath } from './validation.ts';
import { MAX_ADDRESS_LENGTH, withScheme, withoutDoubledScheme } from './web-address.ts';
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
}

export function PictureField(props: PictureFieldProps) {
  const { label, hint, value, onValue, isSquare = false } = props;
  const id = useId();
  const fileInput = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const showsAddress = useSignal(value !== '' && !parseStoredPicture(value));
  const setAddress = (address: string) => {
    showsAddress.value = false;
    onValue(address);
  };
  const upload = usePictureUpload(setAddress, () => chooseButton.current?.focus());
  return (
    <DropTarget labelId={id} onFiles={([file]) => upload.loadFile(file)}>
      <span id={id} class="label">
        {label}
      </span>
      <div class="picture-row">
        <PictureThumb address={props.error ? '' : value} isRound={isSquare} />
        <div class="picture-actions">
          <div class="actions">
            <button
              ref={chooseButton}
              type="button"
              aria-busy={upload.isBusy}
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
            <button type="button" class="link" onClick={() => void openPictures(setAddress)}>
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
      <FileInput
        inputRef={fileInput}
        accept={PICTURE_ACCEPT}
        aria-label={t('File for {label}', { label })}
        onFile={upload.loadFile}
      />
      <UploadState id={`${id}-state`} hint={hint} {...upload} />
      {showsAddress.value && <AddressField {...props} />}
      {upload.bitmap && (
        <CropDialog
          bitmap={upload.bitmap}
          isSquare={isSquare}
          onCancel={upload.closeBitmap}
          onUse={upload.uploadCropped}
        />
      )}
    </DropTarget>
  );
}

/** Takes files that are pasted or dropped. */
export function DropTarget({
  labelId,
  onFiles,
  children,
}: {
  labelId: string;
  onFiles: (files: [File, ...File[]]) => void;
  children: ComponentChildren;
}) {
  const isDragOver = useSignal(false);
  const loadFiles = (event: Event, files: FileList | undefined) => {
    const [first, ...others] = files ?? [];
    if (!first) return;
    event.preventDefault();
    onFiles([first, ...others]);
  };
  return (
    <div
      class={`field picture-field${isDragOver.value ? ' over' : ''}`}
      role="group"
      aria-labelledby={labelId}
      onPaste={(event) => loadFiles(event, event.clipboardData?.files)}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        isDragOver.value = true;
      }}
      onDragLeave={() => (isDragOver.value = false)}
      onDrop={(event) => {
        isDragOver.value = false;
        loadFiles(event, event.dataTransfer?.files);
      }}
    >
      {children}
    </div>
  );
}

/** Uploads a file, after the user has cropped it if the browser can decode it. */
function usePictureUpload(onUploaded: (address: string) => void, onCropClosed: () => void) {
  const { isBusy, problem, run } = useUpload();
  const bitmap = useSignal<ImageBitmap | undefined>(undefined);
  const closeBitmap = () => {
    bitmap.peek()?.close();
    bitmap.value = undefined;
    onCropClosed();
  };
  const loadFile = (file: File) =>
    void run(async () => {
      const decodedBitmap = await decodePicture(file);
      // The server may decode the file, or knows why not.
      if (decodedBitmap) bitmap.value = decodedBitmap;
      else await uploadPicture(file, onUploaded);
    });
  const uploadCropped = (canvas: HTMLCanvasElement) =>
    void run(async () => {
      const croppedFile = await canvasToBlob(canvas);
      closeBitmap();
      await uploadPicture(croppedFile, onUploaded);
    });
  return { isBusy, problem, bitmap: bitmap.value, closeBitmap, loadFile, uploadCropped };
}

function UploadState({
  id,
  hint,
  isBusy,
  problem,
}: {
  id: string;
  hint: string | undefined;
  isBusy: boolean;
  problem: string | undefined;
}) {
  return (
    <>
      <p id={id} class="hint" role="status">
        {isBusy
          ? t('Uploading…')
          : (hint ?? t('Choose, paste or drop a picture. Animations become still.'))}
      </p>
      {isBusy && <progress aria-label={t('Uploading…')} />}
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Shows an icon instead of a picture that cannot be loaded, and tries again after being offline. */
export function PictureThumb({ address, isRound }: { address: string; isRound?: boolean }) {
  const failedAddress = useSignal('');
  useSignalEffect(() => {
    if (isReachable.value) failedAddress.value = '';
  });
  return (
    <span class={`tile picture-thumb${isRound ? ' round' : ''}`}>
      {address && address !== failedAddress.value ? (
        <img
          src={pictureSrc(address)}
          alt=""
          loading="lazy"
          onError={() => (failedAddress.value = address)}
        />
      ) : (
        <Icon path={ICON_PATHS.image} />
      )}
    </span>
  );
}

function AddressField({ name, error, value, onValue }: PictureFieldProps) {
  return (
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
  );
}
