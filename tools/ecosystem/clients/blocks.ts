import type { components } from '../generated/openapi-typescript/schema.d.ts';
import type { BlockUpdate as OrvalBlock } from '../generated/orval/client.ts';

type OpenapiTypescriptBlock = components['schemas']['BlockUpdate'];

// In every generated client, comparing `type` narrows a block of a request to the fields of its kind.
export const titleOf = {
  'openapi-typescript': (block: OpenapiTypescriptBlock): string | undefined =>
    block.type === 'link' ? block.title : undefined,
  orval: (block: OrvalBlock): string | undefined =>
    block.type === 'link' ? block.title : undefined,
};

const common = {
  id: '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20',
  enabled: true,
  url: 'https://a.example',
};

export const withMisspelledField: [OpenapiTypescriptBlock, OrvalBlock] = [
  // @ts-expect-error there is no such field
  { ...common, type: 'link', titel: 'Shop' },
  // @ts-expect-error there is no such field
  { ...common, type: 'link', titel: 'Shop' },
];
