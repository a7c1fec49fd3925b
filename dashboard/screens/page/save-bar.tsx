import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import { isReachable } from '#dashboard/api/connection.ts';
import { ActingFace } from '#dashboard/components/acting-face.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { formatList, t } from '#dashboard/translate.ts';
import '#dashboard/components/pinned-title.css';
import { selectedId } from './block-actions.ts';
import { draft } from './current-draft.ts';
import {
  conflict,
  describeUnfinished,
  isSaving,
  save,
  unfinishedItems,
  unfinishedLabels,
} from './save.ts';
import { activeUrlPath } from './validation.ts';

const UNSAVED_ICON =
  'M8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4M8 7a1 1 0 1 0 0 2 1 1 0 0 0 0-2';
/** The browser handles Ctrl+Z in these fields. */
const NATIVE_UNDO_FIELDS = 'textarea, input:not([type=checkbox], [type=radio], [type=color])';

/** How long the buttons stay after the last change was saved or undone. */
const HIDE_AFTER_MS = 2_000;

export function SaveState() {
  const [icon, text, unfinishedId] = stateOfDraft();
  return (
    <span
      class={`save-state pins-title ${icon === ICON_PATHS.check ? 'saved' : ''} ${draft.site.value ? '' : 'unready'}`}
      role="status"
    >
      <Icon path={icon} />
      {unfinishedId ? (
        <button type="button" class="link" onClick={() => (selectedId.value = unfinishedId)}>
          {text}
        </button>
      ) : (
        text
      )}
    </span>
  );
}

function stateOfDraft(): [icon: string, text: string, unfinishedId?: string] {
  if (isSaving.value) return [UNSAVED_ICON, t('Saving…')];
  if (!isReachable.value) return [ICON_PATHS.warning, t('Offline')];
  if (!draft.isChanged.value) return [ICON_PATHS.check, t('Saved')];
  const unfinished = draft.canSave.value ? [] : unfinishedItems(activeUrlPath.value);
  if (unfinished.length === 0) return [UNSAVED_ICON, t('Not saved')];
  const list = formatList(unfinished.map(({ label }) => label));
  return [UNSAVED_ICON, t('Not finished: {list}', { list }), unfinished[0]!.id];
}

/** Appears while there are unsaved changes. Ctrl+S also saves them. */
export function SaveBar({
  visibility,
  onPublish,
  children,
}: {
  visibility: PageVisibility | undefined;
  /** For a hidden page, whose main action is “Publish page”. */
  onPublish: (() => Promise<void>) | undefined;
  children: ComponentChildren;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const isShown = useSignal(false);
  const isChanged = draft.isChanged.value;
  const [, , unfinishedId] = stateOfDraft();
  useEffect(() => {
    if (isChanged) isShown.value = true;
    const timer = setTimeout(() => {
      if (isChanged) return;
      if (bar.current?.contains(document.activeElement))
        document.querySelector('h1')!.focus({ preventScroll: true });
      isShown.value = false;
    }, HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isChanged, isShown]);
  useShortcuts();
  const saveAndOffer = async () => {
    if (!(await save())) return;
    const missing = describeUnfinished(unfinishedLabels(draft.site.peek()!));
    if (visibility !== 'hidden' && missing) showMessage(`${t('Saved.')} ${missing}`);
    else if (visibility === 'public') showMessage(t('Saved. Visitors see it now.'));
    else if (visibility === 'members') showMessage(t('Saved. Members see it now.'));
    if (!onPublish) return;
    // On a phone, the button to publish is at the top of the page.
    const action = { label: t('Publish page'), run: () => void onPublish() };
    showMessage(t('Saved. Only you see the page so far.'), action);
  };
  return (
    <>
      {(isChanged || isShown.value) && (
        <div ref={bar} class="savebar bottom-bar" role="region" aria-label={t('Unsaved changes')}>
          {children}
          {unfinishedId && (
            <button
              type="button"
              class="link unfinished"
              onClick={() => (selectedId.value = unfinishedId)}
            >
              {t('Not finished')}
            </button>
          )}
          <HistoryButtons />
          <ActingFace />
          <BarButton
            class={onPublish ? undefined : 'primary'}
            isDisabled={!draft.canSave.value}
            aria-busy={isSaving.value}
            aria-keyshortcuts="Control+S"
            onPress={() => void saveAndOffer()}
          >
            {!isChanged ? t('Saved') : onPublish ? t('Save draft') : t('Save')}
          </BarButton>
        </div>
      )}
      {conflict.value && (
        <ConflictDialog
          onCancel={() => (conflict.value = undefined)}
          onKeepMine={() => {
            const current = conflict.peek()!;
            void save(() => draft.keepMine(current));
          }}
          onLoadTheirs={() => {
            draft.loadTheirs(conflict.peek()!);
            conflict.value = undefined;
          }}
        />
      )}
    </>
  );
}

function useShortcuts(): void {
  // Not after the next paint: a fast Ctrl+S would open the browser's own dialog.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const action = shortcutAction(event);
      if (!action) return;
      event.preventDefault();
      commitFocusedField();
      action();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function HistoryButtons() {
  return (
    <>
      <BarButton
        class="icon-button"
        aria-label={t('Undo')}
        isDisabled={!draft.canUndo.value}
        onPress={() => draft.undo()}
      >
        <Icon path={ICON_PATHS.undo} />
      </BarButton>
      <BarButton
        class="icon-button"
        aria-label={t('Redo')}
        isDisabled={!draft.canRedo.value}
        onPress={() => draft.redo()}
      >
        <Icon path="m10.5 9 3-3-3-3M13.5 6H6a3.5 3.5 0 0 0 0 7h3" />
      </BarButton>
    </>
  );
}

function ConflictDialog({
  onCancel,
  onKeepMine,
  onLoadTheirs,
}: Record<'onCancel' | 'onKeepMine' | 'onLoadTheirs', () => void>) {
  return (
    <Dialog title={t('The page was also changed elsewhere')} onCancel={onCancel}>
      <p>
        {t(
          'It changed in another window or by a program after you started editing. Nothing was saved. If you keep your version, theirs stays in the list of versions. If you load theirs, Undo brings yours back.',
        )}
      </p>
      <div class="actions">
        <button type="button" class="quiet" onClick={onCancel}>
          {t('Keep editing')}
        </button>
        <button type="button" onClick={onLoadTheirs}>
          {t('Load their version')}
        </button>
        <button type="button" class="primary" onClick={onKeepMine}>
          {t('Keep my version')}
        </button>
      </div>
    </Dialog>
  );
}

/** Uses aria-disabled, because a disabled button would lose the focus. */
function BarButton({
  isDisabled,
  onPress,
  ...attributes
}: { isDisabled: boolean; onPress: () => void } & JSX.IntrinsicElements['button']) {
  return (
    <button
      {...attributes}
      type="button"
      title={attributes['aria-label']}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onPress()}
    />
  );
}

/** Blurs and refocuses the current field, because URL fields add `https://` on blur. */
function commitFocusedField(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus();
}

function shortcutAction(event: KeyboardEvent): (() => unknown) | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 's') return () => draft.canSave.peek() && save();
  const target = event.target as Element;
  if (target.matches(NATIVE_UNDO_FIELDS) || target.closest('dialog')) return undefined;
  if (key === 'z') return () => (event.shiftKey ? draft.redo() : draft.undo());
  return key === 'y' ? () => draft.redo() : undefined;
}
