import { signal } from '@preact/signals';
import { Dialog } from './dialog.tsx';
import { t } from '../translate.ts';

interface ConfirmOptions {
  title: string;
  text: string;
  action: string;
  /** Default: true. */
  isDangerous?: boolean;
  /** A button in place of “Cancel”. */
  alternative?: { label: string; run: () => void };
  resolve: (isConfirmed: boolean) => void;
}

const openDialog = signal<ConfirmOptions>();

/** Asks for confirmation. Resolves to true if the user agrees. */
export function confirm(options: Omit<ConfirmOptions, 'resolve'>): Promise<boolean> {
  return new Promise((resolve) => {
    openDialog.value = { ...options, resolve };
  });
}

export function ConfirmDialog() {
  const options = openDialog.value;
  if (!options) return null;
  const close = (isConfirmed: boolean) => {
    openDialog.value = undefined;
    options.resolve(isConfirmed);
  };
  return (
    <Dialog title={options.title} onCancel={() => close(false)}>
      <p>{options.text}</p>
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            close(false);
            options.alternative?.run();
          }}
        >
          {options.alternative?.label ?? t('Cancel')}
        </button>
        <button
          type="button"
          class={options.isDangerous === false ? 'primary' : 'danger'}
          onClick={() => close(true)}
        >
          {options.action}
        </button>
      </div>
    </Dialog>
  );
}
