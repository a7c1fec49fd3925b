// Checks each response of the running server, too.
const plugins = [
  '@hey-api/client-fetch',
  'zod',
  { name: '@hey-api/sdk', validator: { response: 'zod' } },
];

export default [
  { input: '../../openapi.json', output: './generated/hey-api', plugins },
  { input: '../../openapi-owner.json', output: './generated/hey-api-owner', plugins },
];
