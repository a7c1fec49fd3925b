import { useSignal } from '@preact/signals';
import { t } from '#dashboard/translate.ts';
import { RenameDialog } from './rename-dialog.tsx';

/** Returns the button that opens the rename dialog, and the dialog while it is open. */
export function useRename(name: string, isVisible: boolean, onDone: () => void) {
  const isOpen = useSignal(false);
  const button = (
    <button type="button" class="link" onClick={() => (isOpen.value = true)}>
      {t('Change name')}
    </button>
  );
  const dialog = isOpen.value && (
    <RenameDialog
      currentName={name}
      isVisible={isVisible}
      onCancel={() => (isOpen.value = false)}
      onDone={() => {
        isOpen.value = false;
        onDone();
      }}
    />
  );
  return [button, dialog] as const;
}
