import { acquireLock, LockedError } from '../../db/private/folder-lock.ts';

// Says that it is ready, tries to take the lock when it is told to, and keeps it until its input ends.
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  acquireLock(process.argv[2] ?? '', 'test').then(
    () => process.stdout.write('won\n'),
    (error: unknown) => {
      if (!(error instanceof LockedError)) throw error;
      process.stdout.write('lost\n');
    },
  );
});
process.stdin.on('end', () => process.exit(0));
