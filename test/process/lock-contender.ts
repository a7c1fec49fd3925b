import { createInterface } from 'node:readline';
import { tryLock } from '#db/embedded/folder-lock.ts';

// Prints `ready`, tries to acquire each lock path from stdin, and holds the locks until stdin ends.
process.stdout.write('ready\n');
for await (const path of createInterface(process.stdin)) {
  const { acquired } = await tryLock(path, 'test');
  process.stdout.write(acquired ? 'won\n' : 'lost\n');
}
process.exit(0);
