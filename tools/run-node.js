// Plain JavaScript that Node 18 can run.
import { spawn } from 'node:child_process';

/** Continues with another Node. Never resolves. */
export function runNode(file) {
  const args = [...process.execArgv, ...process.argv.slice(1)];
  if (process.execve && process.platform !== 'win32')
    process.execve(file, [file, ...args], process.env);
  const child = spawn(file, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends Ctrl-C to both processes, so this one ignores it.
  process.on('SIGINT', () => {});
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  return new Promise(() => {});
}
