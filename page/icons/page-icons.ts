import type { IconName } from '#contract/icons.ts';
import { type Html, trusted } from '../html.ts';
import { iconClasses, iconPaths } from './icon.ts';

/** The icons of one page that may be there often. Each is drawn once, however often the page shows it. */
export class PageIcons {
  readonly #used = new Set<IconName>();

  /** An icon beside words that say the same; `className` is added to its classes. */
  render(name: IconName, className?: string): Html {
    this.#used.add(name);
    return trusted(
      `<svg class="${iconClasses(name, className)}" aria-hidden="true"><use href="#i-${name}"/></svg>`,
    );
  }

  /** The drawings of the icons that the page shows; for the end of its body. */
  symbols(): Html | undefined {
    if (this.#used.size === 0) return undefined;
    const symbols = [...this.#used].map(
      (name) => `<symbol id="i-${name}" viewBox="0 0 24 24">${iconPaths(name)}</symbol>`,
    );
    return trusted(`<svg hidden>${symbols.join('')}</svg>`);
  }
}
