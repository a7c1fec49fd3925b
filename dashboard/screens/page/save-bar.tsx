import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
import { draft } from './current-draft.ts';
import type { Conflict } from './draft.ts';
import { activeUrlPath } from './validation.ts';
import { describeFields } from './site-fields.ts';
import { EYE_ICON } from './row-menu.tsx';
import { conflict, isSaving, saveProblem, save, unfinishedItemLabels } from './save.ts';

/** The browser handles Ctrl+Z in these fields. */
const NATIVE_UNDO_FIELDS = 'textarea, input:not([type=checkbox], [type=radio], [type=color])';

/**
 * Shows the number of unsaved changes, saves them (also with Ctrl+S), and toggles the preview on
 * narrow screens.
 */
export function SaveBar({
  isPreviewOpen,
}: {
  /** Whether the preview replaces the editor, on screens without room for both. */
  isPreviewOpen: Signal<boolean>;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const saveAndFocus = async (action?: Parameters<typeof save>[0]) => {
    // The pressed button disappears, so move the focus.
    if (await save(action)) bar.current?.focus();
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const action = shortcutAction(event, () => void saveAndFocus());
      if (!action) return;
      event.preventDefault();
      commitFocusedField();
      action();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty('--savebar', `${entry!.borderBoxSize[0]!.blockSize}px`),
    );
    observer.observe(bar.current!);
    return () => {
      observer.disconnect();
      style.removeProperty('--savebar');
    };
  }, []);
  return (
    <>
      <div class="dock">
        <div
          ref={bar}
          class={draft.isChanged.value ? 'savebar' : 'savebar saved'}
          role="region"
          aria-label={t('Unsaved changes')}
          tabIndex={-1}
        >
          <p role="status">{isSaving.value ? t('Saving…') : statusText()}</p>
          {saveProblem.value && (
            <p class="error" role="alert">
              {saveProblem.value.text}
            </p>
          )}
          <div class="actions">
            <BarButton
              label={t('Undo')}
              iconPath="M5.5 9 2.5 6l3-3M2.5 6H10a3.5 3.5 0 0 1 0 7H7"
              isDisabled={!draft.canUndo.value}
              onPress={() => draft.undo()}
            />
            <BarButton
              label={t('Redo')}
              iconPath="m10.5 9 3-3-3-3M13.5 6H6a3.5 3.5 0 0 0 0 7h3"
              isDisabled={!draft.canRedo.value}
              onPress={() => draft.redo()}
            />
            <button
              type="button"
              class="quiet to-preview"
              onClick={() => (isPreviewOpen.value = !isPreviewOpen.value)}
            >
              <Icon path={isPreviewOpen.value ? ICON_PATHS.edit : EYE_ICON} />
              {isPreviewOpen.value ? (
                t('Edit')
              ) : (
                <span class="visually-hidden">{t('Preview')}</span>
              )}
            </button>
            {draft.isChanged.value && (
              <>
                <button type="button" class="quiet wide-only" onClick={() => draft.discard()}>
                  {t('Discard')}
                </button>
                <button
                  type="button"
                  class="primary"
                  disabled={!draft.canSave.value}
                  aria-busy={isSaving.value}
                  aria-keyshortcuts="Control+S"
                  onClick={() => void saveAndFocus()}
                >
                  <span>
                    {t.rich('Save<wide> changes</wide>', {
                      wide: (children) => <span class="wide-only">{children}</span>,
                    })}
                  </span>
                </button>
              </>
            )}
          </div>
        </div>
      </div>
      {conflict.value && (
        <ConflictDialog
          conflict={conflict.value}
          onChoice={(choice) => {
            const current = conflict.peek()!;
            if (choice) void saveAndFocus(() => draft.resolveConflict(current, choice));
            else conflict.value = undefined;
          }}
        />
      )}
    </>
  );
}

function ConflictDialog({
  conflict: { fields },
  onChoice,
}: {
  conflict: Conflict;
  onChoice: (choice: 'mine' | 'theirs' | undefined) => void;
}) {
  return (
    <Dialog title={t('The page was also changed elsewhere')} onCancel={() => onChoice(undefined)}>
      <p>
        {t(
          'In another window or by a program, {fields} changed after you started editing. Nothing was saved. All other changes are kept in either case, and you can restore any version.',
          { fields: describeFields(fields) },
        )}
      </p>
      <div class="actions">
        <button type="button" onClick={() => onChoice(undefined)}>
          {t('Keep editing')}
        </button>
        <button type="button" onClick={() => onChoice('theirs')}>
          {t('Use their version')}
        </button>
        <button type="button" class="primary" onClick={() => onChoice('mine')}>
          {t('Keep my version')}
        </button>
      </div>
    </Dialog>
  );
}

function BarButton({
  label,
  iconPath,
  isDisabled,
  onPress,
}: {
  label: string;
  iconPath: string;
  isDisabled: boolean;
  onPress: () => void;
}) {
  return (
    // aria-disabled, because a disabled button would lose the focus after the last undo step.
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={onPress}
    >
      <Icon path={iconPath} />
    </button>
  );
}

/** Blurs and refocuses the current field, because URL fields add `https://` on blur. */
function commitFocusedField(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus();
}

function shortcutAction(event: KeyboardEvent, onSave: () => void): (() => unknown) | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 's') return () => draft.canSave.peek() && onSave();
  const target = event.target as Element;
  if (target.matches(NATIVE_UNDO_FIELDS) || target.closest('dialog')) return undefined;
  if (key === 'z') return () => (event.shiftKey ? draft.redo() : draft.undo());
  return key === 'y' ? () => draft.redo() : undefined;
}

function statusText(): string {
  const unfinished = unfinishedItemLabels(activeUrlPath.value);
  const count = draft.changeCount.value;
  const changes = t('{count, plural, one {# unsaved change} other {# unsaved changes}}', { count });
  if (unfinished.length === 0) return draft.isChanged.value ? changes : t('All changes saved');
  const list = new Intl.ListFormat(t.locale).format(unfinished);
  const state = draft.canSave.value ? `${changes}.` : t('All other changes saved.');
  return `${state} ${t('Not finished, so not saved yet: {list}', { list })}`;
}
