// The chosen entries with the flags laid over them: where to go, with which TLS settings, as whom. The flags win, as in kubectl.
import { readFileSync } from 'node:fs';
import { clusterError, usageError } from '../errors.ts';
import type { ConnectionOptions } from '../model/connection.ts';
import { given } from '../model/given.ts';
import { type Fields, listOf, textOf, textsOf } from './adapt-meta.ts';
import { chooseInCluster } from './in-cluster.ts';
import { type Chosen, chooseFromKubeconfig } from './kubeconfig.ts';
import { proxyFromEnvironment } from './proxy.ts';

export interface Destination {
  readonly context?: string;
  readonly userName?: string;
  readonly namespace: string;
  /** Without a slash at its end. */
  readonly server: string;
  /** As the client library takes a cluster and a user: what is read from files is read again at each login. */
  readonly cluster: Fields;
  readonly user: Fields;
  readonly impersonation: readonly (readonly [header: string, value: string])[];
  readonly proxy?: string;
  readonly disableCompression: boolean;
  /** For login plugins. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const nowhere: Chosen = {
  clusterName: '',
  userName: '',
  cluster: { server: 'http://localhost:8080' },
  user: {},
};

export function findDestination(
  options: ConnectionOptions,
  env: Readonly<Record<string, string | undefined>>,
): Destination {
  const chosen = chooseFromKubeconfig(options, env) ?? chooseInCluster(env) ?? nowhere;
  const cluster = withFlags(
    chosen.cluster,
    {
      server: options.server,
      'tls-server-name': options.tlsServerName,
      'insecure-skip-tls-verify': options.insecureSkipTlsVerify,
      'certificate-authority': options.certificateAuthority,
    },
    // source: clientcmd getCluster: an authority takes the place of data and of no check at all, a server takes its name with it
    [
      ...(options.certificateAuthority === undefined
        ? []
        : ['certificate-authority-data', 'insecure-skip-tls-verify']),
      ...(options.server === undefined ? [] : ['tls-server-name']),
    ],
  );
  const user = withFlags(
    chosen.user,
    {
      token: options.token,
      'client-certificate': options.clientCertificate,
      'client-key': options.clientKey,
    },
    [
      ...(options.token === undefined ? [] : ['tokenFile', 'exec', 'auth-provider', 'username', 'password']),
      ...(options.clientCertificate === undefined ? [] : ['client-certificate-data', 'client-key-data']),
    ],
  );
  const server = serverOf(cluster, chosen);
  const namespace = options.namespace ?? chosen.namespace ?? 'default';
  const proxy = usableProxy(textOf(cluster['proxy-url']) ?? proxyFromEnvironment(server, env));
  return {
    ...given({ context: chosen.context, userName: chosen.userName || undefined, proxy }),
    namespace,
    server,
    cluster,
    user,
    impersonation: impersonationOf(options, user),
    env,
    disableCompression: options.disableCompression ?? cluster['disable-compression'] === true,
  };
}

function withFlags(entry: Fields, flags: Fields, without: readonly string[]): Fields {
  const kept = Object.entries(entry).filter(([key]) => !without.includes(key));
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...kept, ...given]);
}

/** The address itself is not shown: it may hold a password. */
function usableProxy(proxy: string | undefined): string | undefined {
  if (proxy === undefined) return undefined;
  if (!URL.canParse(proxy)) throw clusterError('error: the proxy is not an address');
  const scheme = new URL(proxy).protocol.slice(0, -1);
  if (['http', 'https', 'socks5'].includes(scheme)) return proxy;
  throw clusterError(`error: unsupported proxy scheme "${scheme}", must be http, https, or socks5`);
}

function serverOf(cluster: Fields, chosen: Chosen): string {
  const server = textOf(cluster['server']);
  if (server === undefined) {
    if (chosen.clusterName === '') return 'http://localhost:8080';
    throw clusterError(`error: no server found for cluster "${chosen.clusterName}"`);
  }
  const whole = /^https?:\/\//.test(server) ? server : `https://${server}`;
  if (!URL.canParse(whole))
    throw clusterError(`error: server "${server}" of cluster "${chosen.clusterName}" is not an address`);
  return whole.replace(/\/+$/, '');
}

/** Flags win as a whole: with --as nothing of the kubeconfig's own impersonation is left. */
function impersonationOf(options: ConnectionOptions, user: Fields): [string, string][] {
  const lists = (options.asGroups?.length ?? 0) + (options.asUserExtra?.length ?? 0);
  const fromFlags = options.as !== undefined || options.asUid !== undefined || lists > 0;
  const as = fromFlags ? options.as : textOf(user['as']);
  const uid = fromFlags ? options.asUid : textOf(user['as-uid']);
  const groups = fromFlags
    ? (options.asGroups ?? [])
    : listOf(user['as-groups']).filter(group => typeof group === 'string');
  const extra = fromFlags ? extraOfFlags(options.asUserExtra ?? []) : extraOfUser(user);
  if (as === undefined && (uid !== undefined || groups.length > 0 || extra.length > 0)) {
    throw usageError('impersonating a group, uid or extra needs a user as well: give --as');
  }
  return [
    ...(as === undefined ? [] : [['Impersonate-User', as] as [string, string]]),
    ...groups.map((group): [string, string] => ['Impersonate-Group', group]),
    ...(uid === undefined ? [] : [['Impersonate-Uid', uid] as [string, string]]),
    ...extra.map(([key, value]): [string, string] => [`Impersonate-Extra-${encodeURIComponent(key)}`, value]),
  ];
}

function extraOfFlags(texts: readonly string[]): [string, string][] {
  return texts.map(text => {
    const at = text.indexOf('=');
    if (at < 1) throw usageError(`--as-user-extra: "${text}" is not KEY=VALUE`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

const extraOfUser = (user: Fields): [string, string][] =>
  Object.entries(textsOf(user['as-user-extra'])).flatMap(([key, values]) =>
    listOf(values).map((value): [string, string] => [key, String(value)]),
  );

export const readToken = (file: string): string => readFileSync(file, 'utf8').trim();
