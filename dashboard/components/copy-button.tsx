import { useSignal } from '@preact/signals';
import { t } from '../translate.ts';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import { showMessage } from './messages.tsx';

export function CopyButton({
  text,
  label = t('Copy'),
  isIconOnly = false,
  isPrimary = false,
}: {
  text: string;
  label?: string;
  /** Whether to hide the label. Screen readers still read it. */
  isIconOnly?: boolean;
  isPrimary?: boolean;
}) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => (isCopied.value = false), 2_000);
    } catch {
      showMessage(t('Your browser does not allow copying. Select the text and press Ctrl+C.'));
    }
  };
  return (
    <button
      type="button"
      class={isIconOnly ? 'icon-button' : isPrimary ? 'primary' : undefined}
      onClick={() => void copy()}
    >
      <Icon path={isCopied.value ? ICON_PATHS.check : ICON_PATHS.copy} />
      <span class={isIconOnly ? 'visually-hidden' : undefined}>
        {isCopied.value ? t('Copied') : label}
      </span>
    </button>
  );
}
