export default {
  input: '../../openapi.json',
  output: './generated/hey-api',
  // Checks each response of the running server, too.
  plugins: [
    '@hey-api/client-fetch',
    'zod',
    { name: '@hey-api/sdk', validator: { response: 'zod' } },
  ],
};
