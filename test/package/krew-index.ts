// An index of krew's with one plugin in it, a git repository as the real one is, and a server for the archives that it names.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseChecksums } from '../../build/checksums.ts';
import { krewManifest, manifestName } from '../../build/krew-manifest.ts';
import { root } from '../../build/places.ts';
import { releaseFiles } from './release.ts';

export interface KrewIndex {
  /** What KREW_DEFAULT_INDEX_URI takes. */
  readonly folder: string;
  /** The manifest that is in it. */
  readonly manifest: string;
  /** What was asked for, `/v1.2.3/kubectl-jobctl-linux-amd64.tar.gz`, once each time. */
  readonly downloads: readonly string[];
  /** The same archives as another version; `change` is the last to see the manifest. */
  publish(version: string, change?: (manifest: string) => string): void;
}

const published = 'https://github.com/kubectl-jobctl/kubectl-jobctl/releases/download';

export async function aKrewIndex(t: TestContext, version: string): Promise<KrewIndex> {
  const files = await releaseFiles();
  const sums = parseChecksums(files.get('checksums.txt')?.toString('utf8') ?? '');
  const template = readFileSync(join(root, 'krew-manifest.yaml'), 'utf8');
  const { address, downloads } = await serve(t, files);
  const folder = mkdtempSync(join(tmpdir(), 'jobctl-index-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'plugins'));
  const manifest = join(folder, 'plugins', manifestName);
  const publish: KrewIndex['publish'] = (next, change = text => text) => {
    writeFileSync(manifest, change(krewManifest(template, next, sums).replaceAll(published, address)));
    git(folder, 'add', '.');
    git(folder, 'commit', '-m', next);
  };
  git(folder, 'init', '--initial-branch=master');
  publish(version);
  return { folder, manifest, downloads, publish };
}

function git(folder: string, ...words: readonly string[]): void {
  const who = ['user.name=index', 'user.email=index@jobctl.test', 'commit.gpgsign=false'];
  // nothing of the settings of whoever runs the tests
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', [...who.flatMap(one => ['-c', one]), ...words], { cwd: folder, env, stdio: 'pipe' });
}

interface Server {
  readonly address: string;
  readonly downloads: readonly string[];
}

/** Plain HTTP: krew takes what the checksum fits, however it came. */
async function serve(t: TestContext, files: ReadonlyMap<string, Uint8Array>): Promise<Server> {
  const downloads: string[] = [];
  const server = createServer(({ url = '' }, answer) => {
    downloads.push(url);
    const bytes = files.get(/^\/v\d+\.\d+\.\d+\/([^/]+)$/.exec(url)?.[1] ?? '');
    answer.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, downloads };
}
