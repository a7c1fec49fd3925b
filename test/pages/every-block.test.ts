import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BlockUpdates } from '#contract/block.ts';
import { contract } from '#contract/index.ts';
import {
  API_BLOCKS,
  BLOCK_TYPES,
  type BlockField,
  type BlockType,
  blockDefinition,
} from '#contract/shared/blocks.ts';
import { createIgnoredFieldsFinder } from '#server/platform/http/contract/ignored-fields.ts';
import { exampleSite, readBlockExamples } from './support/block-examples.ts';
import { block, pageSettings, renderPage } from './support/site.ts';

type Definitions = Readonly<Record<string, BlockField>>;
type Fields = Record<string, unknown>;
const ODD_VALUES = [7.5, -1, 'odd', '2026-02-30', 'javascript:alert(1)', {}, ['odd'], [{}]];
const findIgnoredFields = createIgnoredFieldsFinder(contract.site.updateSiteConfiguration);

function requiredOf(definitions: Definitions): Fields {
  const required = Object.entries(definitions).filter(([, field]) => field.required);
  return Object.fromEntries(
    required.map(([name, { itemFields, example }]) => [
      name,
      itemFields ? [requiredOf(itemFields)] : example,
    ]),
  );
}

function render(type: BlockType, fields: Fields): string {
  if (type === 'page') return renderPage({ settings: pageSettings(fields) }).html;
  const shown = block(type, fields);
  const pageMetrics = new Map([[shown.id, { value: 3, previous: undefined, points: [1, 2] }]]);
  return renderPage({ blocks: [shown], pageMetrics }).html;
}

/** A field or alias, and a function that sets its value in a block or list item. */
function casesOf(definitions: Definitions): [path: string, set: (value: unknown) => Fields][] {
  const base = requiredOf(definitions);
  return Object.entries(definitions).flatMap(([name, { aliases = [], itemFields = {} }]) => [
    ...[name, ...aliases].map(
      (key) => [key, (value: unknown) => ({ ...base, [key]: value })] as const,
    ),
    ...casesOf(itemFields).map(
      ([path, set]) =>
        [`${name}.0.${path}`, (value: unknown) => ({ ...base, [name]: [set(value)] })] as const,
    ),
  ]) as never;
}

it.each(
  BLOCK_TYPES.flatMap((type) =>
    casesOf(API_BLOCKS[type].fields).map((item) => [type, ...item] as const),
  ),
)('%s: an odd value of %s changes the page or is named as ignored', (type, path, set) => {
  for (const value of ODD_VALUES) {
    const ignored = findIgnoredFields({ body: { blocks: [{ type, ...set(value) }] }, query: {} });
    const isNamed = ignored.some((name) => name.startsWith(`blocks.0.${path}`));
    const isShown = render(type, set(value)) !== render(type, set(undefined));
    expect([value, isNamed || isShown]).toEqual([value, true]);
  }
});

const emptyPageElements = renderPage({ bio: 'Potter' }).elements.length;

it.each(readBlockExamples().map((example) => [example.blocks[0]!.type, example] as const))(
  'the example in the documentation of %s is valid, has no ignored fields, and is rendered',
  (type, { blocks, picture }) => {
    expect(BlockUpdates.safeParse(blocks).error).toBe(undefined);
    expect(findIgnoredFields({ body: { blocks }, query: {} })).toEqual(
      blockDefinition(type) ? [] : ['blocks.0.type'],
    );
    const page = renderPage(exampleSite(blocks));
    expect(page.parseErrors).toEqual([]);
    if (picture) expect(page.elements.length).toBeGreaterThan(emptyPageElements);
    expect(picture === undefined || existsSync(picture)).toBe(true);
  },
);
