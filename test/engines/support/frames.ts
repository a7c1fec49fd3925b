/** Engines break lines differently, and rewrapped text would hide other differences. */
const STYLE =
  '* { text-wrap: wrap !important; hyphens: none !important; text-rendering: geometricPrecision !important }';

/**
 * A page that shows others in frames of any width, because the windows of WebKit are at least 447
 * pixels wide. Its functions measure them.
 */
export const FRAMES_PAGE = `<!doctype html><html><head></head><body><script>
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
async function until(isDone, name) {
  const deadline = Date.now() + 60_000;
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error(name + ' does not appear.');
    await pause();
  }
}
const views = () => [...document.querySelectorAll('iframe')].map((frame) => frame.contentWindow);

async function openFrames(path, widths) {
  window.errors = [];
  document.body.replaceChildren(...widths.map((width) => Object.assign(document.createElement('iframe'), { src: path, width, height: 900 })));
  for (const view of views()) await until(() => isLoaded(view), path);
}

// Not "complete": of two frames that load the same page, one can stay "interactive" in WebKit.
function isLoaded({ location, document: page }) {
  return location.href !== 'about:blank' && page.readyState !== 'loading' &&
    page.querySelector('h1, main') && !page.querySelector('.loading');
}

/** Clicks the visible button with this name, or whose name begins so, and waits for other texts. */
async function clickInFrames(text) {
  for (const { document: page } of views()) {
    const find = () => {
      const buttons = [...page.querySelectorAll('button, summary, label, a')]
        .filter((element) => element.checkVisibility())
        .map((element) => [element, element.ariaLabel || element.querySelector('img')?.alt || element.textContent.trim()]);
      return (buttons.find(([, name]) => name === text) ?? buttons.find(([, name]) => name.startsWith(text)))?.[0];
    };
    await until(find, text);
    const before = page.body.innerText;
    find().click();
    await until(() => !page.body || page.body.innerText !== before, 'what ' + text + ' opens');
  }
}

/** Waits until nothing moves, and returns the boxes of all frames. */
async function measureFrames() {
  const deadline = Date.now() + 10_000;
  let before, boxes;
  do {
    before = boxes;
    // WebKit sometimes never decodes a picture. The boxes say whether it matters.
    const patience = new Promise((resolve) => setTimeout(resolve, 3_000));
    await Promise.race([Promise.all(views().map(settle)), patience]);
    await pause();
    boxes = JSON.stringify(views().map(measure));
  } while (boxes !== before && Date.now() < deadline);
  return JSON.parse(boxes);
}

async function settle({ document: page, CSSStyleSheet }) {
  if (!page.adoptedStyleSheets.some(({ isOfTest }) => isOfTest)) {
    const sheet = Object.assign(new CSSStyleSheet(), { isOfTest: true });
    sheet.replaceSync(${JSON.stringify(STYLE)});
    page.adoptedStyleSheets.push(sheet);
  }
  await page.fonts.ready;
  const pictures = [...page.images].filter((image) => image.checkVisibility());
  for (const picture of pictures) picture.loading = 'eager';
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
  for (const animation of page.getAnimations())
    if (animation.effect.getComputedTiming().endTime < Infinity) animation.finish();
    else animation.cancel();
}

/** The position in the parent's box, the size and the lines of text of each visible element. */
function measure(view) {
  const { document: page } = view;
  const elements = {};
  const walk = (element, key, origin) => {
    const box = element.getBoundingClientRect();
    const { display, clipPath } = view.getComputedStyle(element);
    if (box.width > 1 && box.height > 1 && clipPath !== 'inset(50%)' &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
      const isInline = display === 'inline';
      elements[key] = { box: [box.x - origin.x, box.y - origin.y, box.width, box.height].map(Math.round), text: ownText(element), lines: countLines(element), isInline };
      origin = box;
    }
    if (element.localName === 'svg') return;
    for (const [index, child] of [...element.children].entries())
      walk(child, key + ' > ' + child.localName + (child.classList[0] ? '.' + child.classList[0] : '') + ':' + index, origin);
  };
  walk(page.body, 'body', { x: -view.scrollX, y: -view.scrollY });
  return { elements, overflow: page.scrollingElement.scrollWidth - page.documentElement.clientWidth };
}

const ownTexts = ({ childNodes }) => [...childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
const ownText = (element) => ownTexts(element).map(({ data }) => data).join('');

function countLines(element) {
  const tops = new Set();
  for (const node of ownTexts(element)) {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(node);
    for (const { top } of range.getClientRects()) tops.add(Math.round(top / 4));
  }
  return tops.size;
}
</script></body></html>`;
