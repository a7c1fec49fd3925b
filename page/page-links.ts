import { LIMITS } from '#contract/limits.ts';
import { type Html, html } from './html.ts';
import { OUTSIDE } from './target.ts';

/** The links of one page that lead elsewhere, and what counts the clicks on them. */
export class PageLinks {
  /** Addresses of the links whose clicks are counted. */
  readonly counted = new Set<string>();
  readonly #clicks: string | undefined;

  /** Clicks are sent to a path; without one they are not counted. */
  constructor(clicks?: string) {
    this.#clicks = clicks;
  }

  /** The attributes of a link to an address, which `linkTarget` returned. */
  to(target: string, rel = OUTSIDE): Html {
    const ping = this.pingTo(target);
    return html`href="${target}" rel="${rel}"${ping && html` ping="${ping}"`}`;
  }

  /** Where a browser tells of clicks on a link to an address; undefined if they are not counted. */
  pingTo(target: string): string | undefined {
    if (this.#clicks === undefined || target.length > LIMITS.countedLink) return undefined;
    this.counted.add(target);
    return this.#clicks;
  }
}
