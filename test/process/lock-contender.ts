import { createInterface } from 'node:readline';
import { acquireLock, LockedError } from '#db/embedded/folder-lock.ts';

// Reports ready, tries each lock that it reads from stdin, and holds them until stdin ends.
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
