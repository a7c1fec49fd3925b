import { navigate, query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { RenameDialog } from './rename-dialog.tsx';

/** Returns the button that opens the rename dialog, and the dialog while it is open. */
export function useRename(name: string, isVisible: boolean, onDone: () => void) {
  const close = () => {
    // An undo from a message may come after the user has left this screen.
    if (query.peek().has('rename')) navigate('', { replace: true });
  };
  const button = (
    <button type="button" class="link" onClick={() => navigate('?rename', { replace: true })}>
      {t('Change name')}
    </button>
  );
  const dialog = query.value.has('rename') && (
    <RenameDialog
      currentName={name}
      isVisible={isVisible}
      onCancel={close}
      onDone={() => {
        close();
        onDone();
      }}
    />
  );
  return [button, dialog] as const;
}
