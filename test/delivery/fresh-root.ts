import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface FreshRoot {
  /** Runs a bash script with the host's network and without systemd. */
  install: (script: string) => Promise<void>;
  /** Boots with systemd and only a loopback interface, runs a script and returns its output. */
  boot: (script: string) => Promise<string>;
  remove: () => Promise<void>;
}

/** Installs Debian with debootstrap. `binds` are shared paths, as `host:guest`. */
export async function makeFreshRoot(binds: string[]): Promise<FreshRoot> {
  if (process.getuid?.() !== 0)
    throw new Error('Only root can make a Debian system in a folder: run this test as root.');
  // On disk: it takes 1.5 GB.
  const place = await mkdtemp('/var/tmp/nameplate-root-');
  const remove = () => rm(place, { recursive: true, force: true });
  const folder = join(place, 'root');
  const inside = async (args: string[], script: string) => {
    await writeFile(join(folder, 'script.sh'), script);
    const always = ['--quiet', '--register=no', '--keep-unit', '--suppress-sync=yes'];
    const shared = binds.map((bind) => `--bind=${bind}`);
    await run('systemd-nspawn', [...always, `--directory=${folder}`, ...shared, ...args], LIMITS);
  };
  try {
    const packages = '--include=systemd,systemd-sysv,ca-certificates';
    const args = ['--variant=minbase', packages, 'trixie', folder, ...(await readMirrors())];
    // In its own namespaces, so that nothing stays mounted or running when it is stopped.
    const alone = ['--mount', '--pid', '--fork', '--kill-child', 'debootstrap'];
    await run('unshare', [...alone, ...args], LIMITS);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    remove,
    install: (script) =>
      inside(['--pipe', '--resolv-conf=copy-host', 'bash', '-eux', '/script.sh'], script),
    boot: async (script) => {
      const units = join(folder, 'etc/systemd/system');
      await writeFile(join(units, 'script.service'), UNIT);
      await run('systemctl', [`--root=${folder}`, 'enable', 'script.service']);
      // Containers may not create nested user namespaces.
      await mkdir(join(units, 'service.d'), { recursive: true });
      await writeFile(join(units, 'service.d/container.conf'), '[Service]\nPrivateUsers=no\n');
      await inside(['--boot', '--console=pipe', '--private-network', '--resolv-conf=off'], script);
      const text = await readFile(join(folder, 'script.log'), 'utf8');
      if (!text.endsWith('ended 0\n')) throw new Error(text);
      return text;
    },
  };
}

/** URLs of the Debian mirrors that this machine uses. */
async function readMirrors(): Promise<string[]> {
  const { stdout } = await run('apt-get', [
    ...['indextargets', '--format', '$(REPO_URI)'],
    ...['Label: Debian', 'Created-By: Packages'],
  ]);
  return stdout.split('\n').filter(Boolean).slice(0, 1);
}

/** 25 minutes and 100 MB of output. */
const LIMITS = { timeout: 1_500_000, maxBuffer: 100_000_000 };

/** Runs the script after boot, then shuts down. */
const UNIT = `[Unit]
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
