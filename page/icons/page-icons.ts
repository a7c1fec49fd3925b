import type { IconName } from '#contract/shared/icons.ts';
import { type Html, trustedHtml } from '../html/html.ts';
import { brandColor, iconClasses, iconPaths, isBrandIcon } from './icon.ts';

/** Icons of one page. `symbols()` defines each icon once, and `render()` refers to it. */
export class PageIcons {
  readonly #used = new Set<IconName>();

  /** Hidden from screen readers, so use it next to text. */
  render(name: IconName, className?: string): Html {
    this.#used.add(name);
    return trustedHtml(
      `<svg class="${iconClasses(name, className)}" aria-hidden="true"><use href="#i-${name}"/></svg>`,
    );
  }

  /** Belongs at the end of the body. */
  symbols(): Html | undefined {
    if (this.#used.size === 0) return undefined;
    const symbols = [...this.#used].map(
      (name) => `<symbol id="i-${name}" viewBox="0 0 24 24">${iconPaths(name)}</symbol>`,
    );
    return trustedHtml(`<span hidden><svg>${symbols.join('')}</svg></span>`);
  }

  /** Style rules with the colors of the services, for designs that show them. */
  colorRules(): string {
    return [...this.#used]
      .filter(isBrandIcon)
      .map((name) => `.brand-${name}{--brand:${brandColor(name)}}`)
      .join('');
  }
}
