// Kubeconfigs of the tests carry a mark, and whatever talks to a server refuses one that has it not:
// a test must never reach the cluster that a developer happens to be logged in to.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { Certificate } from './certificates.ts';

const prefix = 'jobctl-test-';
const mark = { name: 'jobctl/test', extension: { madeBy: 'test/cluster' } };

export interface Access {
  readonly server: string;
  /** PEM */
  readonly authority: string;
  readonly user: string;
  readonly certificate: Certificate;
  readonly namespace?: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function kubeconfigText(access: Access): string {
  const name = `${prefix}${access.user.replace(/[^a-z0-9-]+/gi, '-')}`;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: access.server,
          'certificate-authority-data': base64(access.authority),
          extensions: [mark],
        },
      },
    ],
    users: [
      {
        name,
        user: {
          'client-certificate-data': base64(access.certificate.certificate),
          'client-key-data': base64(access.certificate.key),
        },
      },
    ],
    contexts: [
      {
        name,
        context: { cluster: name, user: name, namespace: access.namespace ?? 'default', extensions: [mark] },
      },
    ],
    'current-context': name,
  });
}

export function writeKubeconfig(path: string, access: Access): string {
  writeFileSync(path, kubeconfigText(access), { mode: 0o600 });
  return path;
}

interface Named {
  readonly name?: string;
  readonly cluster?: {
    readonly server?: string;
    readonly extensions?: readonly { readonly name?: string }[];
  };
}

const isOwnCluster = ({ name, cluster }: Named): boolean =>
  name?.startsWith(prefix) === true &&
  /^https?:\/\/(127\.0\.0\.1|localhost)[:/]/.test(cluster?.server ?? '') &&
  cluster?.extensions?.some(extension => extension.name === mark.name) === true;

/** Throws for any kubeconfig that these tests did not write. */
export function assertOwnKubeconfig(path: string): void {
  const config = parse(readFileSync(path, 'utf8')) as {
    clusters?: readonly Named[];
    contexts?: readonly Named[];
    'current-context'?: string;
  };
  const clusters = config.clusters ?? [];
  const own =
    config['current-context']?.startsWith(prefix) === true &&
    clusters.length > 0 &&
    clusters.every(isOwnCluster) &&
    (config.contexts ?? []).every(context => context.name?.startsWith(prefix) === true);
  if (!own)
    throw new Error(`${path} was not written by these tests; refusing to talk to the cluster it names`);
}
