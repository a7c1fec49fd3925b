import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { DefaultLogo } from '#dashboard/components/logo.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
import { fileErrorMessage, pictureSrc, uploadPicture } from '../page/picture-file.ts';

export function LogoField({
  name,
  label,
  value,
  onValue,
  isOptional = false,
}: {
  name: string;
  label: string;
  value: string;
  onValue: (url: string) => void;
  isOptional?: boolean;
}) {
  const id = useId();
  const fileInput = useRef<HTMLInputElement>(null);
  const isUploading = useSignal(false);
  const problem = useSignal<string>();
  const upload = async (file: File | undefined) => {
    if (!file) return;
    isUploading.value = true;
    problem.value = undefined;
    try {
      await uploadPicture(file, onValue);
    } catch (error) {
      problem.value = fileErrorMessage(error);
    } finally {
      isUploading.value = false;
    }
  };
  return (
    <div class="logo-field" role="group" aria-labelledby={id}>
      <span class={isOptional ? 'logo-box dark' : 'logo-box'}>
        {value ? (
          <img src={logoSrc(value)} alt="" />
        ) : isOptional ? (
          <Icon path={ICON_PATHS.image} />
        ) : (
          <DefaultLogo />
        )}
      </span>
      <div>
        <span id={id} class="label">
          {label}
        </span>
        <div class="actions">
          <button
            type="button"
            aria-busy={isUploading.value}
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
        <p class={problem.value ? 'error' : 'hint'} role="status">
          {problem.value ??
            (isUploading.value
              ? t('Uploading…')
              : isOptional
                ? t('Optional.')
                : t('JPEG, PNG, WebP, GIF or AVIF, up to 10 MB.'))}
        </p>
      </div>
      <input
        ref={fileInput}
        type="file"
        name={name}
        accept="image/*"
        hidden
        aria-label={t('File for {label}', { label })}
        onChange={({ currentTarget }) => {
          void upload(currentTarget.files?.[0]);
          // Otherwise choosing the same file again would not fire `change`.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** The dashboard's host serves logos and the operator's pictures. */
export function logoSrc(url: string): string {
  const { pathname = '' } = URL.parse(url) ?? {};
  return pathname.startsWith('/instance/') ? pathname : pictureSrc(url);
}
