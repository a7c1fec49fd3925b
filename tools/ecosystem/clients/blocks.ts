import type {
  Block as HeyApiBlock,
  BlockUpdate as HeyApiUpdate,
} from '../generated/hey-api/types.gen.ts';
import type { components } from '../generated/openapi-typescript/schema.d.ts';
import type {
  BlockUpdate as OrvalBlock,
  Block as OrvalStoredBlock,
} from '../generated/orval/client.ts';

type OpenapiTypescriptBlock = components['schemas']['BlockUpdate'];
type StoredBlock = components['schemas']['Block'];

// In every generated client, comparing `type` narrows a block of a request to the fields of its kind.
export const titleOf = {
  'openapi-typescript': (block: OpenapiTypescriptBlock): string | undefined =>
    block.type === 'link' ? block.title : undefined,
  orval: (block: OrvalBlock): string | undefined =>
    block.type === 'link' ? block.title : undefined,
  'openapi-typescript, of a response': (block: StoredBlock): string | undefined =>
    isLink(block) ? block.title : undefined,
  'hey-api, of a response': (block: HeyApiBlock): string | undefined =>
    isLink(block) ? block.title : undefined,
  'orval, of a response': (block: OrvalStoredBlock): string | undefined =>
    isLink(block) ? block.title : undefined,
};

// As docs/compatibility.md says.
function isLink<B extends { type: string }>(block: B): block is Extract<B, { type: 'link' }> {
  return block.type === 'link';
}

export const sendBack = {
  'openapi-typescript': (blocks: StoredBlock[]) => blocks as OpenapiTypescriptBlock[],
  'hey-api': (blocks: HeyApiBlock[]) => blocks as HeyApiUpdate[],
  orval: (blocks: OrvalStoredBlock[]) => blocks as OrvalBlock[],
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
