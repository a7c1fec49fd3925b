import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface DebianSystem {
  /** Runs a bash script with the host's network and without systemd. */
  install: (script: string) => Promise<void>;
  /** Boots with systemd and only a loopback interface, runs a script and returns its output. */
  bootAndRun: (script: string) => Promise<string>;
  remove: () => Promise<void>;
}

/** Installs Debian with debootstrap. `binds` are shared paths, as `host:guest`. */
export async function createDebianSystem(binds: string[]): Promise<DebianSystem> {
  if (process.getuid?.() !== 0)
    throw new Error('Run this test as root: only root can install Debian in a folder.');
  // /var/tmp is on disk. The system takes 1.5 GB, which is too much for a tmpfs.
  const parentFolder = await mkdtemp('/var/tmp/nameplate-root-');
  const remove = () => rm(parentFolder, { recursive: true, force: true });
  const folder = join(parentFolder, 'root');
  const runContainer = async (args: string[], script: string) => {
    await writeFile(join(folder, 'script.sh'), script);
    const baseArgs = ['--quiet', '--register=no', '--keep-unit', '--suppress-sync=yes'];
    const bindArgs = binds.map((bind) => `--bind=${bind}`);
    await run(
      'systemd-nspawn',
      [...baseArgs, `--directory=${folder}`, ...bindArgs, ...args],
      EXEC_OPTIONS,
    );
  };
  try {
    const packages = '--include=systemd,systemd-sysv,ca-certificates';
    const args = ['--variant=minbase', packages, 'trixie', folder, ...(await readMirrors())];
    // Use separate namespaces, so that nothing stays mounted or running if debootstrap is killed.
    const unshareArgs = ['--mount', '--pid', '--fork', '--kill-child', 'debootstrap'];
    await run('unshare', [...unshareArgs, ...args], EXEC_OPTIONS);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    remove,
    install: (script) =>
      runContainer(['--pipe', '--resolv-conf=copy-host', 'bash', '-eux', '/script.sh'], script),
    bootAndRun: async (script) => {
      const units = join(folder, 'etc/systemd/system');
      await writeFile(join(units, 'script.service'), SYSTEMD_UNIT);
      await run('systemctl', [`--root=${folder}`, 'enable', 'script.service']);
      // Containers may not create nested user namespaces.
      await mkdir(join(units, 'service.d'), { recursive: true });
      await writeFile(join(units, 'service.d/container.conf'), '[Service]\nPrivateUsers=no\n');
      await runContainer(
        ['--boot', '--console=pipe', '--private-network', '--resolv-conf=off'],
        script,
      );
      const text = await readFile(join(folder, 'script.log'), 'utf8');
      if (!text.endsWith('ended 0\n')) throw new Error(text);
      return text;
    },
  };
}

/** Returns the URL of the first Debian mirror that this machine uses, if any. */
async function readMirrors(): Promise<string[]> {
  const { stdout } = await run('apt-get', [
    ...['indextargets', '--format', '$(REPO_URI)'],
    ...['Label: Debian', 'Created-By: Packages'],
  ]);
  return stdout.split('\n').filter(Boolean).slice(0, 1);
}

/** 25 minutes and 100 MB of output. */
const EXEC_OPTIONS = { timeout: 1_500_000, maxBuffer: 100_000_000 };

/** A systemd service that runs the script after boot, then shuts down. */
const SYSTEMD_UNIT = `[Unit]
SuccessAction=poweroff-force
FailureAction=poweroff-force

[Service]
ExecStart=/bin/bash -c 'bash -eux /script.sh; echo "ended $?"'
RuntimeMaxSec=1200
StandardOutput=file:/script.log
StandardError=inherit

[Install]
WantedBy=multi-user.target
`;
