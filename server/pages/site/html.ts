import { html as template, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Text that is HTML: what was escaped when it was put in, or named raw. */
export type Html = HtmlEscapedString;

/** What a template takes: texts are escaped, fragments are not, lists are joined, nothing is nothing. */
export type Content = Html | string | number | undefined | false | readonly Content[];

/** A fragment of HTML. */
// Without promises among the values there is none in the result.
export const html = template as (strings: TemplateStringsArray, ...values: Content[]) => Html;

/** Takes a text for HTML as it is: only for what was made by a renderer or a literal of ours. */
export const trusted = (text: string): Html => raw(text) as Html;
