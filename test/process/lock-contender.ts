import { createInterface } from 'node:readline';
import { acquireLock, LockedError } from '#db/embedded/folder-lock.ts';

// Says that it is ready, tries to take each lock that it is told, and keeps them until its input ends.
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
