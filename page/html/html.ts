import { html as template, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML that is safe to output, because templates escape their values. */
export type Html = HtmlEscapedString;

/** Strings are escaped, HTML is not. Arrays are joined. Undefined and false render nothing. */
export type TemplateValue = Html | string | number | undefined | false | readonly TemplateValue[];

/** Marks a value in the joined template. Templates contain no NUL. */
const PLACEHOLDER = '\0';

const BLOCK_TAGS =
  'blockquote|body|details|div|figcaption|figure|footer|h1|h2|head|header|html|li|link|main|meta|nav|p|path|section|summary|ul';
/** Line breaks at the start and at the end of a block, which are not shown. */
const BLOCK_EDGES = new RegExp(
  String.raw`(?<=<(?:${BLOCK_TAGS})\b[^<>]*>)\n|\n(?=</(?:${BLOCK_TAGS})>)`,
  'g',
);

const compactTemplates = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** Drops the indentation of the template, and the line breaks in its tags. */
export function html(strings: TemplateStringsArray, ...values: TemplateValue[]): Html {
  let compact = compactTemplates.get(strings);
  if (!compact) {
    const texts = strings
      .join(PLACEHOLDER)
      .replace(/(?<!\s)\s*\n\s*/g, '\n')
      .replace(/<\/?[a-z][^<>]*>/g, (tag) => tag.replace(/\n(?=\/?>)/, '').replaceAll('\n', ' '))
      .replace(BLOCK_EDGES, '')
      .split(PLACEHOLDER);
    compact = Object.assign(texts, { raw: texts });
    compactTemplates.set(strings, compact);
  }
  // hono returns a promise only if a value is a promise, which `TemplateValue` excludes.
  return template(compact, ...values) as Html;
}

/** Marks text as HTML without escaping it. Only for literals and the output of our renderers. */
export const trustedHtml = (text: string): Html => raw(text) as Html;
