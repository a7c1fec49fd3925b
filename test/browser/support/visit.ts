import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** An open page with its requests and browser messages. */
export interface Visit {
  /** The visit itself, for callers that also destructure it. */
  visit: Visit;
  page: Page;
  context: BrowserContext;
  /** Requested URLs, without fragments. */
  requests: string[];
  /** Texts of console messages, uncaught errors and dialogs. */
  messages: string[];
  /** Patterns of expected messages, which `messages` leaves out. */
  ignoredMessages: RegExp[];
}

/** Browser message for a response with an error status. */
export const FAILED_REQUEST = /^Failed to load resource: the server responded with a status of/;

/** Opens an empty page in a new context, which is closed after the test. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const [requests, messages]: [string[], string[]] = [[], []];
  const ignoredMessages: RegExp[] = [];
  const recordMessage = (text: string) => {
    if (!ignoredMessages.some((pattern) => pattern.test(text))) messages.push(text);
  };
  page.on('request', (request) => {
    const url = request.url().replace(/#.*/, '');
    if (!url.startsWith('data:')) requests.push(url);
  });
  page.on('pageerror', (error) => recordMessage(String(error)));
  page.on('console', (message) => recordMessage(message.text()));
  page.on('dialog', (dialog) => recordMessage(dialog.message()));
  const visit = { page, context, requests, messages, ignoredMessages } as Visit;
  return Object.assign(visit, { visit });
}

/** Opens a URL in a new context. */
export async function visitUrl(
  browser: Browser,
  url: string,
  options?: BrowserContextOptions,
): Promise<Visit> {
  const visit = await openPage(browser, options);
  await visit.page.goto(url);
  return visit;
}

/** Pixels by which the page scrolls sideways. */
export function measureHorizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(
    'document.scrollingElement.scrollWidth - document.documentElement.clientWidth',
  );
}

function measureStackedTableOverflow(page: Page): Promise<number> {
  return page.evaluate(
    `Math.max(0, ...Array.from(document.querySelectorAll('.stacked-table'),
      ({ parentElement: at }) => at.scrollWidth - at.clientWidth))`,
  );
}

/** Rules of WCAG 2.2 AA. */
const WCAG_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The only rule whose result depends on the color scheme. */
export const CONTRAST_RULES = ['color-contrast'];

export async function findAccessibilityViolations(
  page: Page,
  rules = WCAG_RULES,
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  // Contrast is wrong during transitions.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
    .map((animation) => animation.finished))`);
  return page.evaluate(`axe
    .run({
      runOnly: ${JSON.stringify(rules)},
      // A best practice, so no rule of WCAG.
      rules: { 'landmark-unique': { enabled: true } },
      iframes: false,
    })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}

/**
 * Expects no accessibility, layout or network problem: narrow in light colors, wide in dark ones.
 * Between these widths, accessibility checks would find nothing new.
 */
export async function expectNoProblems({ page, requests, messages }: Visit): Promise<void> {
  const { origin } = new URL(page.url());
  for (const [width, colorScheme] of [[768], [320, 'light'], [1280, 'dark']] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(async () => [width, await measureHorizontalOverflow(page)])
      .toEqual([width, 0]);
    if (width === 320) await expect.poll(() => measureStackedTableOverflow(page)).toBe(0);
    if (colorScheme === undefined) continue;
    // The title of the page editor would cover parts of some buttons.
    await page.evaluate('scrollTo(0, 0)');
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);
  }
  expect(requests.filter((url) => new URL(url).origin !== origin)).toEqual([]);
  expect(messages).toEqual([]);
}
