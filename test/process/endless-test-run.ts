import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres-server.ts';
import { createRunFolder } from '../support/run-folder.ts';

// Simulates a test run that has a database and a child process, and never ends by itself.
const folder = await createRunFolder();
const server = await startPostgres();
const pid = await readFile(join(server.folder, 'data', 'postmaster.pid'), 'utf8');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
process.stdout.write(JSON.stringify({ folder, pids: [Number.parseInt(pid, 10), child.pid] }));
