import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export function describeFocusedElement(page: Page): Promise<string> {
  return page.evaluate(`(({ activeElement: at }) => at.getAttribute('aria-label')
    ?? at.labels?.[0]?.textContent ?? at.innerText)(document).trim()`);
}

/** Waits until the element with this name has the focus. */
export async function expectFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => describeFocusedElement(page)).toBe(name);
}

/** Presses Tab until an element with this name has the focus, which must be visible. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await describeFocusedElement(page)) !== name) continue;
    // Where the whole row can be clicked, the row has the outline.
    const outlines = await page.evaluate(`[undefined, '::after'].map(
      (part) => getComputedStyle(document.activeElement, part).outlineStyle)`);
    expect([name, outlines]).toEqual([name, expect.arrayContaining(['solid'])]);
    return;
  }
  throw new Error(`The tab key does not lead to ${name}.`);
}
