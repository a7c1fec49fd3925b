import { signal } from '@preact/signals';
import type { PreviewScheme } from '#dashboard/components/posted-preview.tsx';
import { t } from '#dashboard/translate.ts';

/**
 * Outlines for hovered blocks. The dashboard adds them to the frame as a constructed style sheet,
 * because the frame's Content-Security-Policy allows no style elements except the page's own.
 */
const BLOCK_OUTLINES = `[data-block]{cursor:pointer;outline-offset:4px}
[data-block]:hover{outline:2px dashed var(--dashboard-accent)}`;

/** Dashed placeholders that only the owner sees. */
const GHOSTS = `.ghost{display:grid;place-items:center;min-height:4rem;padding:1rem;
border:1.5px dashed color-mix(in srgb,currentColor 60%,#0000);border-radius:.875rem;
font-size:.9375rem;text-align:center;opacity:.7}.ghost+.ghost{margin-top:.75rem}
.ghost.link{margin-top:1.5rem}
.ghost.picture{min-height:9rem}.ghost.missing{flex:1 1 100%;opacity:1;
border-color:#b45309;color:light-dark(#92400e,#fbbf24)}`;

const sheets = new WeakMap<Document, CSSStyleSheet>();
const themeSchemes = new WeakMap<Document, string>();

/** Applies `scheme` if the theme has light and dark colors. Outlines the selected block. */
export function stylePreview(content: Document, scheme: PreviewScheme, selectedId: string): void {
  const frameWindow = content.defaultView!;
  let sheet = sheets.get(content);
  if (!sheet) {
    themeSchemes.set(content, frameWindow.getComputedStyle(content.documentElement).colorScheme);
    sheet = new frameWindow.CSSStyleSheet();
    sheets.set(content, sheet);
    content.adoptedStyleSheets = [sheet];
  }
  const supportsBothSchemes = ['light', 'dark'].every((name) =>
    themeSchemes.get(content)!.includes(name),
  );
  const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent');
  sheet.replaceSync(
    `${BLOCK_OUTLINES}${GHOSTS}:root{scrollbar-width:none;--dashboard-accent:${accent}}
    ${selectedId ? `[data-block="${CSS.escape(selectedId)}"]{outline:2px solid var(--dashboard-accent)!important}` : ''}
    ${supportsBothSchemes ? `:root{color-scheme:${scheme}!important}` : ''}`,
  );
}

/** Ids of the blocks that the preview shows as links. Embeds are links if there is no player. */
export const shownLinkIds = signal<ReadonlySet<string>>(new Set());

export function readShownLinks(content: Document): void {
  const links = content.querySelectorAll<HTMLElement>('a.link[data-block]');
  shownLinkIds.value = new Set([...links].map(({ dataset }) => dataset['block']!));
}

/** Calls `select` with the id of the clicked block. Links in blocks are not followed. */
export function onBlockClick(content: Document, select: (blockId: string) => void): void {
  content.addEventListener('click', (event) => {
    const block = (event.target as Element).closest<HTMLElement>('[data-block]');
    if (!block) return;
    if ((event.target as Element).closest('a')) event.preventDefault();
    select(block.dataset['block']!);
  });
}

/** Shows on an empty page what can go there. */
export function addPlaceholders(content: Document): void {
  const main = content.querySelector('main.h-card')!;
  for (const [text, kind] of [
    [t('Your first link goes here'), 'link'],
    [t('A picture you like'), 'picture'],
    [t('Where else people find you'), 'social'],
  ] as const) {
    const ghost = content.createElement('div');
    ghost.className = `ghost ${kind}`;
    ghost.textContent = text;
    main.append(ghost);
  }
}

/** Marks the positions of blocks that the page leaves out, such as a countdown without a date. */
export function showMissingBlocks(
  content: Document,
  blocks: readonly { id: string; label: string }[],
): void {
  const list = content.querySelector('.blocks');
  let position = list?.firstElementChild ?? null;
  for (const { id, label } of blocks) {
    const shown = content.querySelector(`[data-block="${CSS.escape(id)}"]`);
    const section = [...(list?.children ?? [])].find((child) => child.contains(shown));
    if (section) position = section.nextElementSibling;
    if (shown) continue;
    // Links share a section, so an earlier mark may already follow it.
    while (position?.classList.contains('missing')) position = position.nextElementSibling;
    const ghost = content.createElement('div');
    ghost.className = 'ghost missing';
    ghost.dataset['block'] = id;
    ghost.textContent = t('Not shown: {block}', { block: label });
    list?.insertBefore(ghost, position);
  }
}

export function scrollToBlock(content: Document, blockId: string): void {
  const element = blockId && content.querySelector(`[data-block="${CSS.escape(blockId)}"]`);
  if (!element) return;
  const view = content.defaultView!;
  const { top, bottom, height } = element.getBoundingClientRect();
  if (top >= 0 && bottom <= view.innerHeight) return;
  const marginTop = Math.max(16, (view.innerHeight - height) / 2);
  view.scrollTo(0, view.scrollY + top - marginTop);
}

/**
 * Calls `onBroken` with the block id of each picture that fails to load (`profile` for pictures outside
 * blocks). Only `error` events count, because a lazy picture looks broken until it scrolls into
 * view.
 */
export function watchPictureErrors(content: Document, onBroken: (blockId: string) => void): void {
  const reportBroken = (picture: Element) =>
    onBroken(picture.closest<HTMLElement>('[data-block]')?.dataset['block'] ?? 'profile');
  // Request pictures again that may have failed before the listener was added.
  for (const picture of content.images) {
    if (!picture.complete || picture.naturalWidth > 0) continue;
    const retriedImage = new Image();
    retriedImage.referrerPolicy = 'no-referrer';
    retriedImage.addEventListener('error', () => reportBroken(picture));
    retriedImage.src = picture.src;
  }
  content.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof content.defaultView!.HTMLImageElement) reportBroken(target);
    },
    true,
  );
}
