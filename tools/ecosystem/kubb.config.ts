import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

const documents = { kubb: '../../openapi.json', 'kubb-owner': '../../openapi-owner.json' };

export default defineConfig(
  Object.entries(documents).map(([name, path]) => ({
    name,
    input: { path },
    output: {
      path: `./generated/${name}`,
      clean: true,
      format: false as const,
      lint: false as const,
    },
    plugins: [
      pluginOas({ generators: [] }),
      pluginTs(),
      pluginClient({ client: 'fetch', bundle: true }),
    ],
  })),
);
