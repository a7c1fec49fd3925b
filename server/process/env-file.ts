import { existsSync } from 'node:fs';

// Quiet where there is none, which `node --env-file-if-exists` is not.
if (existsSync('.env')) process.loadEnvFile('.env');
