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
export function itemsOfJson(value: unknown): PageItem[] {
  const items: PageItem[] = [];
  addItems(items, value, Array.isArray(value) ? 'links' : undefined, false);
  return items;
}

function addItems(
  items: PageItem[],
  value: unknown,
  list: string | undefined,
  isParentHidden: boolean,
): void {
  if (Array.isArray(value)) {
    for (const item of value) addItems(items, item, list, isParentHidden);
    return;
  }
  const kind = /^social/i.test(list ?? '') ? 'social' : 'link';
  if (typeof value === 'string' && list !== undefined) items.push({ kind, url: value, title: '' });
  if (typeof value !== 'object' || value === null) return;
  const isHidden =
    isParentHidden || (list !== undefined && Object.entries(value).some(isHiddenField));
  const url = findFirstText(value, URL_FIELDS);
  const item: PageItem = {
    kind: url ? kind : 'heading',
    ...(url && { url }),
    title: findFirstText(value, TITLE_FIELDS),
    isHidden,
  };
  if (list !== undefined) items.push(item);
  const { length } = items;
  for (const [name, child] of Object.entries(value))
    if (typeof child === 'object')
      addItems(items, child, LISTS.test(name) ? name : undefined, isHidden);
  const hasItems = items.length > length;
  if (!url && !hasItems && !HEADING_TYPES.test(findFirstText(value, ['type']))) item.kind = 'text';
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
