import { defineConfig } from 'orval';

export default defineConfig({
  nameplate: {
    input: '../../openapi.json',
    output: { target: './generated/orval/client.ts', client: 'fetch' },
  },
  zod: {
    input: '../../openapi.json',
    output: { target: './generated/orval/zod.ts', client: 'zod' },
  },
  ownerZod: {
    input: '../../openapi-owner.json',
    output: { target: './generated/orval/owner-zod.ts', client: 'zod' },
  },
});
