import { LIMITS } from '#contract/limits.ts';
import { type Html, html } from './html.ts';
import { EXTERNAL_REL } from './safe-url.ts';

/** The links of one page that lead elsewhere, and what counts the clicks on them. */
export class PageLinks {
  /** Addresses of the links whose clicks are counted. */
  readonly countedUrls = new Set<string>();
  readonly #pingPath: string | undefined;

  /** Clicks are sent to a path; without one they are not counted. */
  constructor(pingPath?: string) {
    this.#pingPath = pingPath;
  }

  /** The attributes of a link to an address, which `linkTarget` returned. */
  attributesFor(target: string, rel = EXTERNAL_REL): Html {
    const ping = this.pingFor(target);
    return html`href="${target}" rel="${rel}"${ping && html` ping="${ping}"`}`;
  }

  /** Where a browser tells of clicks on a link to an address; undefined if they are not counted. */
  pingFor(target: string): string | undefined {
    if (this.#pingPath === undefined || target.length > LIMITS.countedLink) return undefined;
    this.countedUrls.add(target);
    return this.#pingPath;
  }
}
