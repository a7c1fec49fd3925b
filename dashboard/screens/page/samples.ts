import { t } from '#dashboard/translate.ts';
import { blockLabel } from './kinds.ts';
import type { Site } from './site.ts';
import { TEMPLATES } from './templates.ts';

const EXAMPLE_ADDRESS = /[@/.]example\.(?:com|net|org)\b/i;

/** Complete with a template's text. */
const COMPLETE_TYPES = new Set<string>(['contact_form', 'heading']);

/** Labels of the bio and blocks that are still samples. */
export function sampleLabels({ bio, blocks }: Site): string[] {
  const templateTexts = new Set(TEMPLATES.flatMap((template) => template.blocks.map(textOf)));
  const samples = blocks.filter((block) => {
    const text = textOf(block);
    const isSample = EXAMPLE_ADDRESS.test(text) || templateTexts.has(text);
    return block.enabled && !COMPLETE_TYPES.has(block.type) && isSample;
  });
  const hasSampleBio = bio !== null && TEMPLATES.some(({ site }) => site.bio === bio);
  return [...(hasSampleBio ? [t('Bio')] : []), ...samples.map(blockLabel)];
}

/** Leaves out the times, which differ from day to day, and `at`, their place in templates. */
const IGNORED_FIELDS = new Set([
  'id',
  'enabled',
  'size',
  'at',
  'starts_at',
  'ends_at',
  'time_zone',
]);

function textOf(block: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(block).filter(([name]) => !IGNORED_FIELDS.has(name));
  return JSON.stringify(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
