import type { CheckCpuTime } from './cpu-limit.ts';

/** A `text` has no link. A `social` link is shown as an icon only. */
export interface PageItem {
  kind: 'link' | 'social' | 'heading' | 'text';
  title: string;
  url?: string;
  /** The source says that visitors do not see it. */
  isHidden?: boolean;
}

const URL_FIELDS = ['url', 'href', 'link'];
const TITLE_FIELDS = ['title', 'name', 'label', 'text', 'content'];
const LISTS = /^(?:links|items|children|buttons|blocks|social\w*)$/i;
const HEADING_TYPES = /head|section|divider/i;
const SHOWN_FIELDS = /^(?:is_?)?(?:active|enabled|visible|published|shown|public)$/i;
const HIDDEN_FIELDS = /^(?:is_?)?(?:hidden|disabled|inactive|archived|deleted|draft)$/i;

/** Reads lists of links, such as `links` in the data of a page. */
export function itemsOfJson(
  value: unknown,
  checkCpuTime: CheckCpuTime,
  list: string | undefined = Array.isArray(value) ? 'links' : undefined,
  isParentHidden = false,
): PageItem[] {
  if (Array.isArray(value))
    return value.flatMap((item) => itemsOfJson(item, checkCpuTime, list, isParentHidden));
  const kind = /^social/i.test(list ?? '') ? 'social' : 'link';
  if (typeof value === 'string' && list !== undefined) return [{ kind, url: value, title: '' }];
  if (typeof value !== 'object' || value === null) return [];
  checkCpuTime();
  const isHidden =
    isParentHidden || (list !== undefined && Object.entries(value).some(isHiddenField));
  const nested = Object.entries(value).flatMap(([name, child]) =>
    typeof child === 'object'
      ? itemsOfJson(child, checkCpuTime, LISTS.test(name) ? name : undefined, isHidden)
      : [],
  );
  const title = findFirstText(value, TITLE_FIELDS);
  const url = findFirstText(value, URL_FIELDS);
  if (list === undefined) return nested;
  if (url) return [{ kind, url, title, isHidden }, ...nested];
  const isHeading = nested.length > 0 || HEADING_TYPES.test(findFirstText(value, ['type']));
  return [{ kind: isHeading ? 'heading' : 'text', title, isHidden }, ...nested];
}

/** Databases and CSV files have 0 and 1, or texts. */
function isHiddenField([name, value]: [string, unknown]): boolean {
  const text = String(value).toLowerCase();
  if (SHOWN_FIELDS.test(name)) return /^(?:false|0|no|off)$/.test(text);
  if (HIDDEN_FIELDS.test(name)) return /^(?:true|1|yes|on)$/.test(text);
  return /^(?:status|state|visibility)$/i.test(name) && HIDDEN_FIELDS.test(text);
}

function findFirstText(fields: object, names: readonly string[]): string {
  const values = names.map((name) => (fields as Record<string, unknown>)[name]);
  return (values.find((value) => typeof value === 'string' && value.trim() !== '') as string) ?? '';
}
