import { LIMITS } from '#contract/shared/limits.ts';
import { type Html, html } from './html/html.ts';
import { EXTERNAL_REL } from './html/safe-url.ts';

/** External links of one page, with click tracking. */
export class PageLinks {
  readonly countedUrls = new Set<string>();
  readonly #pingPath: string | undefined;

  /** Browsers report clicks to `pingPath`. Without it, clicks are not counted. */
  constructor(pingPath?: string) {
    this.#pingPath = pingPath;
  }

  /** `target` must come from `safeLinkUrl`. */
  attributesFor(target: string, rel = EXTERNAL_REL): Html {
    const ping = this.pingFor(target);
    const address = /^(?:mailto|tel):([^?]+)/.exec(target)?.[1];
    const printed = address && decodeText(address);
    const others = [ping && html` ping="${ping}"`, printed && html` data-to="${printed}"`];
    return html`href="${target}" rel="${rel}"${others}`;
  }

  /** The `ping` URL of a link. Undefined if its clicks are not counted. */
  pingFor(target: string): string | undefined {
    if (this.#pingPath === undefined || target.length > LIMITS.trackedLinkUrl) return undefined;
    this.countedUrls.add(target);
    return this.#pingPath;
  }
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
