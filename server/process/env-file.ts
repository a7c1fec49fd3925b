import { existsSync } from 'node:fs';

// `node --env-file-if-exists` prints a warning if there is no file.
if (existsSync('.env')) process.loadEnvFile('.env');
