/** A box or a line of text: kind, x, y, width, height and radius, in pixels from the screen's corner. */
export type OutlineBox = readonly [OutlineKind, ...measures: number[]];
type OutlineKind = 'card' | 'stage' | 'phone' | 'top' | 'chart' | 'box' | 'line';

const MAX_BOXES = 300;
const SELECTORS: readonly [OutlineKind, string][] = [
  ['stage', '.preview, .unnamed, .page-preview'],
  ['phone', '.phone'],
  ['top', '.page-preview iframe'],
  ['card', '.card, :not(.phone *) > iframe'],
  ['chart', 'svg[preserveAspectRatio]'],
  [
    'box',
    '.bars rect, button, .button, .segments, .tile, .pill, .face, .plate, .code, i, input, textarea, select, img',
  ],
];

/** Where boxes and lines are on a loaded screen. Contains no text. */
export function measureOutline(main: HTMLElement): OutlineBox[] {
  const corner = main.getBoundingClientRect();
  const boxes: OutlineBox[] = [];
  const range = document.createRange();
  let box: Element | undefined;
  const add = (kind: OutlineKind, { x, y, width, height }: DOMRect, radius: number) => {
    const measures = [x - corner.x, y - corner.y, width, height, Math.min(radius, height / 2)];
    if (width > 0) boxes.push([kind, ...measures.map(Math.round)]);
  };
  const addLine = ({ x, y, width, height }: DOMRect) => {
    // Hidden texts are one pixel wide.
    if (width < 2 || height < 8) return;
    let [start, end] = [x - corner.x, x - corner.x + width];
    const top = y - corner.y + height / 4;
    // Words of one line can be in several elements, and those of a parent come first.
    const isSameLine = ([kind, left = 0, lineTop = 0, length = 0]: OutlineBox) =>
      kind === 'line' &&
      Math.abs(lineTop - top) < 4 &&
      left < end + 10 &&
      left + length > start - 10;
    for (let index; (index = boxes.findIndex(isSameLine)) >= 0;) {
      const [[, left = 0, , length = 0]] = boxes.splice(index, 1) as [OutlineBox];
      [start, end] = [Math.min(start, left), Math.max(end, left + length)];
    }
    add('line', new DOMRect(start + corner.x, y + height / 4, end - start, height / 2), 6);
  };
  for (const element of main.querySelectorAll<HTMLElement>('*')) {
    const isHidden = !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (
      isHidden ||
      box?.contains(element) ||
      element.closest('.title, .tabs, .filters, .remembered')
    )
      continue;
    if (boxes.length > MAX_BOXES || element.getBoundingClientRect().y > 3 * innerHeight) break;
    if (element.matches('tbody > tr')) {
      const { x, y, width } = element.getBoundingClientRect();
      add('line', new DOMRect(x, y, width, 1), 0);
    }
    const style = getComputedStyle(element);
    const kind = SELECTORS.find(([, selector]) => element.matches(selector))?.[0];
    const isPainted =
      style.backgroundColor !== 'rgba(0, 0, 0, 0)' ||
      element.matches('img, rect, .plate:not(.off)');
    if (kind && (kind !== 'box' || isPainted)) {
      const { x, y, width, height } = element.getBoundingClientRect();
      // Previews are scaled and cut off at the lower edge of their frame, that of Home by CSS.
      const scale = width / (element.offsetWidth || width);
      // A parent with `display: contents` has no box.
      const { bottom } = element.parentElement!.getBoundingClientRect();
      const end = kind === 'card' && bottom > 0 ? Math.min(y + height, bottom) : y + height;
      const radius = scale * Number.parseFloat(style.borderRadius) || 4;
      add(kind, new DOMRect(x, y, width, end - y), radius);
      if (kind === 'box') box = element;
    } else
      for (const text of element.childNodes) {
        if (text.nodeType !== Node.TEXT_NODE) continue;
        range.selectNode(text);
        for (const line of range.getClientRects()) addLine(visiblePart(line, element));
      }
  }
  return boxes;
}

/** The part of a line that no ancestor clips. */
function visiblePart({ x, y, right, bottom }: DOMRect, element: Element | null): DOMRect {
  let [left, top] = [x, y];
  for (; element && element.id !== 'main'; element = element.parentElement) {
    if (getComputedStyle(element).overflow === 'visible') continue;
    const frame = element.getBoundingClientRect();
    left = Math.max(left, frame.left);
    top = Math.max(top, frame.top);
    right = Math.min(right, frame.right);
    bottom = Math.min(bottom, frame.bottom);
  }
  return new DOMRect(left, top, right - left, bottom - top);
}
