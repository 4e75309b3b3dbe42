// The real kubectl, as the administrator of a test's own cluster.
import { execFile } from 'node:child_process';
import type { ControlPlane } from './control-plane.ts';
import { assertOwnKubeconfig } from './kubeconfig.ts';

/** Answers its standard output, byte for byte. */
export function kubectl(plane: ControlPlane, words: readonly string[], input = ''): Promise<string> {
  assertOwnKubeconfig(plane.adminKubeconfig);
  const flags = [`--kubeconfig=${plane.adminKubeconfig}`];
  // it keeps a cache at home; a log or a list of thousands of objects has megabytes
  const options = { env: { HOME: plane.dir, PATH: process.env['PATH'] ?? '' }, maxBuffer: 2 ** 28 };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = execFile(plane.kubectl, [...flags, ...words], options, (error, out) =>
    error === null ? resolve(out) : reject(error),
  );
  child.stdin?.end(input);
  return promise;
}
