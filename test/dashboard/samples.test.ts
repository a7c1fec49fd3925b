import { expect, it } from 'vitest';
import { sampleLabels } from '#dashboard/screens/page/samples.ts';
import type { Site } from '#dashboard/screens/page/site.ts';
import { TEMPLATES } from '#dashboard/screens/page/templates.ts';

it('a contact form and headings are complete with the text of a template, other blocks are samples', () => {
  const blocks = TEMPLATES.flatMap((template) => template.blocks).map((block) => ({
    ...block,
    id: 'a',
    enabled: true,
  }));
  const site = (...types: string[]) =>
    ({ bio: null, blocks: blocks.filter(({ type }) => types.includes(type)) }) as Site;
  expect(sampleLabels(site('contact_form', 'heading'))).toEqual([]);
  expect(sampleLabels(site('link'))).not.toEqual([]);
});
