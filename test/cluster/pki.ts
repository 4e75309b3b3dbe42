// Every key and certificate of one control plane, as files in its folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Authority, newKey, writeCertificate } from './certificates.ts';

export interface Pki {
  /** Signs users; test files that join later read it from disk. */
  readonly clients: Authority;
  /** The path of a file, by its name: `ca.crt`. */
  file(name: string): string;
}

const authorityName = 'jobctl-test-ca';
const folderIn = (dir: string) => join(dir, 'pki');

export function writePki(dir: string): Pki {
  const folder = folderIn(dir);
  mkdirSync(folder, { mode: 0o700 });
  const clients = new Authority(authorityName);
  // An authority of its own: with a shared one every user could claim to be the aggregator and speak for anybody.
  const frontProxy = new Authority('jobctl-test-front-proxy-ca');
  const write = (name: string, made: { certificate: string; key: string }) =>
    writeCertificate(join(folder, name), made);
  write('ca', clients);
  write('front-proxy-ca', frontProxy);
  write('apiserver', clients.issue({ name: 'kube-apiserver' }));
  write('controller-manager', clients.issue({ name: 'system:kube-controller-manager' }));
  // What kube-apiserver shows to a kubelet, which lets in whoever the authority knows.
  write('kubelet-client', clients.issue({ name: 'kube-apiserver-kubelet-client' }));
  write('front-proxy', frontProxy.issue({ name: 'front-proxy-client' }));
  writeFileSync(join(folder, 'service-account.key'), newKey(), { mode: 0o600 });
  return { clients, file: name => join(folder, name) };
}

/** Of a control plane that another process started. */
export const readAuthority = (dir: string): Authority =>
  Authority.read(authorityName, join(folderIn(dir), 'ca'));
