import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5';
import type { Block } from '#contract/block.ts';
import type { PageSettings } from '#contract/page-settings-block.ts';
import type { PublicSite } from '#page/public-site.ts';
import { renderSite } from '#page/render-site.ts';

const ID = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';

export const SHOWING = {
  url: 'https://example.org/@jane-doe',
  now: new Date('2026-11-20T12:00:00Z'),
};

/** A site with only a name. */
export const EMPTY_SITE: PublicSite = {
  name: 'jane-doe',
  title: null,
  bio: null,
  avatarUrl: null,
  location: null,
  mood: null,
  themeId: null,
  customTheme: null,
  settings: null,
  blocks: [],
  isTruncated: false,
  mailAddress: undefined,
  isNew: false,
  pageNumbers: new Map(),
};

/** A block as stored. */
export function block(type: string, fields: Record<string, unknown> = {}): Block {
  return { id: ID, type, enabled: true, ...fields };
}

/** Page settings as stored. */
export function pageSettings(fields: object): PageSettings {
  return { id: ID, position: 0, fields: { ...fields } };
}

/** Renders a site and parses the document. */
export function renderPage(site: Partial<PublicSite>, abuseContact?: string): Page {
  const { html } = renderSite({ ...EMPTY_SITE, ...site }, SHOWING, { abuseContact });
  return new Page(html);
}

/** A parsed HTML document. */
export class Page {
  readonly html: string;
  readonly elements: Tree.Element[];
  /** HTML parse errors. */
  readonly problems: string[] = [];

  constructor(html: string) {
    this.html = html;
    const document = parse(html, {
      onParseError: ({ code, startLine }) => void this.problems.push(`${code} ${startLine}`),
    });
    this.elements = elementsOf(document);
  }

  /** All elements with this tag name. */
  all(name: string): Tree.Element[] {
    return this.elements.filter(({ tagName }) => tagName === name);
  }

  /** Text in `main`, trimmed. */
  get text(): string {
    return textOf(this.all('main')[0]!).replace(/\s+/g, ' ').trim();
  }
}

export function attribute(element: Tree.Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

export function textOf(node: Tree.Node): string {
  if (node.nodeName === '#text') return (node as Tree.TextNode).value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function elementsOf(node: Tree.Node): Tree.Element[] {
  const below = 'childNodes' in node ? node.childNodes.flatMap(elementsOf) : [];
  return 'tagName' in node ? [node, ...below] : below;
}
