import { useId, useRef } from 'preact/hooks';
import { PICTURE_ACCEPT } from '#contract/shared/pictures.ts';
import { FileInput } from '#dashboard/components/file-input.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { DefaultLogo } from '#dashboard/components/logo.tsx';
import { t } from '#dashboard/translate.ts';
import { pictureSrc, uploadPicture, useUpload } from '../page/picture-file.ts';
import './logo-field.css';

export function LogoField({
  name,
  label,
  value,
  onValue,
  isOptional = false,
  isDark = false,
}: {
  name: string;
  label: string;
  value: string;
  onValue: (url: string) => void;
  isOptional?: boolean;
  isDark?: boolean;
}) {
  const id = useId();
  const fileInput = useRef<HTMLInputElement>(null);
  const upload = useUpload();
  return (
    <div class="logo-field" role="group" aria-labelledby={id}>
      <span class={isDark ? 'tile logo-box dark' : 'tile logo-box'}>
        {value ? (
          <img src={instancePictureSrc(value)} alt="" />
        ) : isOptional ? (
          <Icon path={ICON_PATHS.image} />
        ) : (
          <DefaultLogo />
        )}
      </span>
      <div>
        <span id={id} class={isOptional ? 'label' : 'visually-hidden'}>
          {label}
        </span>
        <div class="actions">
          <button
            type="button"
            aria-busy={upload.isBusy}
            onClick={() => fileInput.current!.click()}
          >
            {value ? t('Replace') : t('Choose a picture')}
          </button>
          {value && (
            <button type="button" class="quiet" onClick={() => onValue('')}>
              {t('Remove')}
            </button>
          )}
        </div>
        <p class={upload.problem ? 'error' : 'hint'} role="status">
          {upload.problem ??
            (upload.isBusy
              ? t('Uploading…')
              : isOptional
                ? t('Optional.')
                : t('JPEG, PNG, WebP, GIF or AVIF, up to 10 MB.'))}
        </p>
      </div>
      <FileInput
        inputRef={fileInput}
        name={name}
        accept={PICTURE_ACCEPT}
        aria-label={t('File for {label}', { label })}
        onFile={(file) => void upload.run(() => uploadPicture(file, onValue))}
      />
    </div>
  );
}

/** The dashboard's host serves logos, the cover and the operator's pictures. */
export function instancePictureSrc(url: string): string {
  const { pathname = '' } = URL.parse(url) ?? {};
  return pathname.startsWith('/instance/') ? pathname : pictureSrc(url);
}
