/** Looks of the page that a preview shows. */
export type ColourScheme = 'light' | 'dark';

/**
 * Rules for the editor's marks in a preview. They are put into the frame's document from outside: nothing
 * in it runs, and its policy allows no sheet but the page's own.
 */
const BLOCK_OUTLINES = `[data-block]{cursor:pointer;outline-offset:4px}
[data-block]:hover{outline:2px dashed #2f9a70}`;

const sheets = new WeakMap<Document, CSSStyleSheet>();
const themeSchemes = new WeakMap<Document, string>();

/** Shows a preview by day or by night, if its theme has both, and marks the part that is in work. */
export function stylePreview(content: Document, scheme: ColourScheme, selected: string): void {
  const view = content.defaultView!;
  let sheet = sheets.get(content);
  if (!sheet) {
    themeSchemes.set(content, view.getComputedStyle(content.documentElement).colorScheme);
    sheet = new view.CSSStyleSheet();
    sheets.set(content, sheet);
    content.adoptedStyleSheets = [sheet];
  }
  const hasBoth = ['light', 'dark'].every((name) => themeSchemes.get(content)!.includes(name));
  sheet.replaceSync(
    `${BLOCK_OUTLINES}
    ${selected ? `[data-block="${CSS.escape(selected)}"]{outline:2px solid #2f9a70!important}` : ''}
    ${hasBoth ? `:root{color-scheme:${scheme}!important}` : ''}`,
  );
}

/** Tells which part of the page is clicked in a preview; its links lead nowhere. */
export function onBlockClick(content: Document, select: (part: string) => void): void {
  content.addEventListener('click', (event) => {
    const part = (event.target as Element).closest<HTMLElement>('[data-block]');
    if (!part) return;
    if ((event.target as Element).closest('a')) event.preventDefault();
    select(part.dataset['block']!);
  });
}

/** Scrolls a preview until a part of the page is seen. */
export function scrollToBlock(content: Document, part: string): void {
  const element = part && content.querySelector(`[data-block="${CSS.escape(part)}"]`);
  if (!element) return;
  const view = content.defaultView!;
  const { top, bottom, height } = element.getBoundingClientRect();
  if (top >= 0 && bottom <= view.innerHeight) return;
  const above = Math.max(16, (view.innerHeight - height) / 2);
  view.scrollTo(0, view.scrollY + top - above);
}

/**
 * Calls `onBroken` with the page part of each picture that fails to load. Only `error` events count,
 * because a lazy picture looks broken until it scrolls into view.
 */
export function watchPictureErrors(content: Document, onBroken: (part: string) => void): void {
  const report = (picture: Element) =>
    onBroken(picture.closest<HTMLElement>('[data-block]')?.dataset['block'] ?? '');
  // Reload pictures that failed before the listener was added.
  for (const picture of content.images) {
    if (!picture.complete || picture.naturalWidth > 0) continue;
    const again = new Image();
    again.referrerPolicy = 'no-referrer';
    again.addEventListener('error', () => report(picture));
    again.src = picture.src;
  }
  content.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof content.defaultView!.HTMLImageElement) report(target);
    },
    true,
  );
}
