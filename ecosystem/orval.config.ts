import { defineConfig } from 'orval';

export default defineConfig({
  nameplate: {
    input: '../openapi.json',
    output: {
      target: './generated/orval/client.ts',
      client: 'fetch',
      baseUrl: process.env.NAMEPLATE_URL ?? 'http://127.0.0.1:3000',
    },
  },
  zod: { input: '../openapi.json', output: { target: './generated/orval/zod.ts', client: 'zod' } },
  ownerZod: {
    input: '../openapi-owner.json',
    output: { target: './generated/orval/owner-zod.ts', client: 'zod' },
  },
});
