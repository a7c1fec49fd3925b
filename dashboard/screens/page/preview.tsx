import { signal, useSignal, useSignalEffect } from '@preact/signals';
import {
  type Device,
  PostedPreview,
  prefersScheme,
  PreviewHead,
} from '#dashboard/components/posted-preview.tsx';
import '#dashboard/components/posted-preview.css';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { PREVIEW_PATH } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { movedId, selectedId } from './block-actions.ts';
import { coverVersion, draft } from './current-draft.ts';
import { blockLabel } from './kinds.ts';
import {
  addPlaceholders,
  showMissingBlocks,
  stylePreview,
  onBlockClick,
  readShownLinks,
  scrollToBlock,
  watchPictureErrors,
} from './preview-document.ts';
import { type Site, toRequest } from './site.ts';
import { startThumbnails } from './thumbnail.tsx';

/** An earlier version that the preview shows instead of the draft. */
export const viewedVersion = signal<{ version: number; site: Site }>();

const view = { device: signal<Device>('phone'), scheme: signal(prefersScheme()) };

export function Preview({
  onOpen,
  onBlockSelect,
  onRestore,
}: {
  /** Called if the small preview on narrow screens is pressed. */
  onOpen: () => void;
  onBlockSelect: () => void;
  onRestore: (version: number) => void;
}) {
  const requestJson = useDebounced(
    JSON.stringify(
      viewedVersion.value ? toRequest(viewedVersion.value.site) : draft.changesToSave(),
    ),
  );
  // The request has only unsaved changes. It stays empty if a change is saved before the delay ends.
  const version = useDebounced(`${draft.version.value} ${coverVersion.value}`);
  const document = useRenderedDocument(onBlockSelect);
  return (
    <section class="preview" aria-label={t('Preview')}>
      <PreviewHead {...view} />
      <PreviewNotes {...document} onRestore={onRestore} />
      <PostedPreview
        action={PREVIEW_PATH}
        field="site"
        json={requestJson}
        version={version}
        title={t('Preview of your page')}
        device={view.device.value}
        show={(frame) => {
          const isShown = document.show(frame);
          if (isShown) startThumbnails();
          return isShown;
        }}
      >
        <button type="button" class="open-preview" aria-label={t('Preview')} onClick={onOpen} />
      </PostedPreview>
    </section>
  );
}

/** The last preview that could be made, and the error of a later one. */
function useRenderedDocument(onBlockSelect: () => void) {
  const content = useSignal<Document | undefined>(undefined);
  const errorText = useSignal('');
  const brokenPictures = useSignal<readonly string[]>([]);
  useSignalEffect(() => {
    if (!content.value) return;
    stylePreview(content.value, view.scheme.value, selectedId.value);
    scrollToBlock(content.value, selectedId.value || movedId.peek());
    movedId.value = '';
  });
  /** Returns false if the frame has an error, which is then shown above the last preview. */
  const show = (frame: HTMLIFrameElement): boolean => {
    const rendered = frame.contentDocument;
    errorText.value = rendered?.querySelector('main.h-card')
      ? ''
      : (rendered?.querySelector('h1')?.textContent ?? '');
    if (errorText.value) return false;
    readShownLinks(rendered!);
    if (!rendered!.querySelector('[data-block]:not(.profile)')) addPlaceholders(rendered!);
    showMissingBlocks(
      rendered!,
      (viewedVersion.peek()?.site ?? draft.site.peek()!).blocks
        .filter(({ enabled }) => enabled)
        .map((block) => ({ id: block.id, label: blockLabel(block) })),
    );
    brokenPictures.value = [];
    watchPictureErrors(rendered!, (blockId) => {
      // Pictures are requested again, so one can fail after its preview was replaced.
      if (content.peek() === rendered && !brokenPictures.peek().includes(blockId))
        brokenPictures.value = [...brokenPictures.peek(), blockId];
    });
    onBlockClick(rendered!, (blockId) => {
      if (viewedVersion.peek()) return;
      selectedId.value = blockId;
      onBlockSelect();
    });
    frame.contentWindow!.scrollTo(0, content.peek()?.defaultView?.scrollY ?? 0);
    content.value = rendered!;
    return true;
  };
  return { errorText: errorText.value, brokenPictures: brokenPictures.value, show };
}

function PreviewNotes({
  errorText,
  brokenPictures,
  onRestore,
}: {
  errorText: string;
  brokenPictures: readonly string[];
  onRestore: (version: number) => void;
}) {
  return (
    <div class="notes" role="status">
      {viewedVersion.value && (
        <p class="banner">
          <span class="grow">
            {t('Version {version}', { version: viewedVersion.value.version })}
          </span>
          <button type="button" onClick={() => onRestore(viewedVersion.peek()!.version)}>
            {t('Restore')}
          </button>
          <button type="button" onClick={() => (viewedVersion.value = undefined)}>
            {t('Back to your draft')}
          </button>
        </p>
      )}
      {errorText && <p class="banner">{errorText}</p>}
      {brokenPictures.map((blockId) => (
        <p key={blockId} class="banner">
          {t('{block}: the picture could not be loaded.', { block: blockNameFor(blockId) })}
        </p>
      ))}
    </div>
  );
}

function blockNameFor(blockId: string): string {
  const site = viewedVersion.value?.site ?? draft.site.value;
  const block = site?.blocks.find(({ id }) => id === blockId);
  return block ? blockLabel(block) : t('Profile');
}
