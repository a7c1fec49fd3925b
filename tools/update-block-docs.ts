import { readFileSync } from 'node:fs';
import { FIELD_NOTES, rulesOf } from '#contract/openapi/block-variants.ts';
import { type BlockField, BLOCK_TYPES, API_BLOCKS } from '#contract/shared/blocks.ts';
import { ICONS } from '#contract/shared/icons.ts';
import { formatGenerated, writeGenerated } from './generated-file.ts';

const FILE = new URL('../docs/site-blocks.md', import.meta.url);

const VALUE_DESCRIPTIONS: Readonly<Record<BlockField['type'], (field: BlockField) => string>> = {
  text: () => 'line',
  lines: () => 'text',
  markdown: () => 'Markdown',
  url: ({ allowsContact }) =>
    allowsContact ? 'web or [contact address](#contact-addresses)' : 'web address',
  icon: () => '[icon](#icons)',
  picture: () => 'picture address',
  time: ({ isDay }) => (isDay ? 'date without a time, such as `2027-06-30`' : 'time'),
  language: () => 'language tag, such as `en` or `pt-BR`',
  zone: () => 'time zone',
  flag: ({ default: defaultValue = false }) => `boolean (\`${defaultValue}\`)`,
  number: ({ min, max, default: defaultValue }) =>
    `${min} to ${max}${defaultValue === undefined ? '' : ` (${defaultValue})`}`,
  choice: ({ options = {} }) =>
    Object.keys(options)
      .map((value) => `\`${value}\``)
      .join(', '),
  project: () => 'id of a project',
  metric: () => 'path of a number, such as `orders.total`',
  days: ({ max }) => `at most ${max} dates, such as \`2026-12-25\``,
  list: () => 'list',
};

/** Replaces the description and the field table below the heading of each block type. */
function updateFieldTables(page: string): string {
  const withoutSize = BLOCK_TYPES.filter((kind) => !('size' in API_BLOCKS[kind].fields));
  const types = withoutSize.map((kind) => `\`${kind}\``).join(', ');
  const icons = Object.keys(ICONS).map((name) => `\`${name}\``);
  const intro = page
    .replace(/(?<=have a `size`, except )[^.]*/, types)
    .replace(/(?<=^The names are )[^.]*/m, icons.join(', '));
  return BLOCK_TYPES.reduce((text, kind) => {
    const heading = `## ${kind}\n\n`;
    const [before, after] = text.split(heading);
    if (after === undefined) throw new Error(`docs/site-blocks.md has no section "## ${kind}".`);
    const { description, fields } = API_BLOCKS[kind];
    const notes = after.replace(/^[^\n]*\n\n(?:\|[^\n]*\n)*\n*/, '');
    return `${before}${heading}${[description, formatTable(fields), notes].filter(Boolean).join('\n\n')}`;
  }, intro);
}

function formatTable(fields: Readonly<Record<string, BlockField>>): string {
  // The introduction explains `size`.
  const rows = formatRows(fields).filter((row) => !row.startsWith('| `size`'));
  if (rows.length === 0) return '';
  return ['| Field | Value | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function formatRows(fields: Readonly<Record<string, BlockField>>, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { label, help, required, onlyFor, aliases = [], itemFields = {} } = field;
    const names = [name, ...aliases].map((alias) => `\`${path}${alias}\``).join(' or ');
    const sentences = [help, ...rulesOf(field), FIELD_NOTES[name]].filter(Boolean).join(' ');
    const meaning = sentences ? `${label}. ${sentences}` : label;
    const row = `| ${names}${required && !onlyFor ? ' (required)' : ''} | ${VALUE_DESCRIPTIONS[field.type](field)} | ${meaning} |`;
    return [row, ...formatRows(itemFields, `${path}${name}[].`)];
  });
}

writeGenerated(FILE, formatGenerated(FILE, updateFieldTables(readFileSync(FILE, 'utf8'))));
