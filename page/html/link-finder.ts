import { LinkifyIt, REBuilder } from 'linkify-it';

/** Invisible characters before or after a URL, and ASCII that a URL cannot contain. */
const SEPARATORS = '[`|^\\u061C\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060\\u2066-\\u2069\\uFEFF]';

class LinkPatterns extends REBuilder {
  constructor() {
    super();
    this.src_ZPCc += `|${SEPARATORS}`;
    this.src_ZCc += `|${SEPARATORS}`;
  }
  /** Chinese and Japanese have no space before a URL. */
  override get_schema_search(): RegExp {
    return (this.cache['schema_search'] ??= new RegExp(
      `(^|[^A-Za-z0-9_])(${this.get_schema_names().source})`,
      'gi',
    ));
  }
  /** As in GitHub's Markdown, a final colon or asterisk is not part of a URL. */
  override get_path(): RegExp {
    return (this.cache['path'] ??= new RegExp(`${super.get_path().source}(?<![:*\u00AD])`));
  }
}

/**
 * Finds `http:`, `https:` and `mailto:` URLs in text. It finds credentials, too, so that
 * `https://user:password@host` does not become a link to `https://user`.
 */
export function createLinkFinder(): LinkifyIt {
  const finder = new LinkifyIt({
    rebuilder: new LinkPatterns(),
    fuzzyEmail: false,
    urlAuth: true,
  });
  return finder.add('ftp:', null).add('//', null);
}
