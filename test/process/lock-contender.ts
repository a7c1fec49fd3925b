import { createInterface } from 'node:readline';
import { acquireLock, LockedError } from '#db/embedded/folder-lock.ts';

// Prints `ready`, tries to acquire each lock path from stdin, and holds the locks until stdin ends.
process.stdout.write('ready\n');
createInterface(process.stdin)
  .on('line', (path) => {
    acquireLock(path, 'test').then(
      () => process.stdout.write('won\n'),
      (error: unknown) => {
        if (!(error instanceof LockedError)) throw error;
        process.stdout.write('lost\n');
      },
    );
  })
  .on('close', () => process.exit(0));
