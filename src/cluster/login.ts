// Logging in: the client library's KubeConfig, given only the chosen entries. Every way of its own works; what it lacks is here.
import { clusterError } from '../errors.ts';
import { fieldsOf, textOf } from './adapt-meta.ts';
import { type Destination, readToken } from './destination.ts';

export interface Login {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Readonly<Record<string, unknown>>;
}

/** A fresh login each time: token files are read and exec plugins asked again. */
export async function logIn(to: Destination): Promise<Login> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const options: Record<string, unknown> & { headers?: Record<string, unknown> } = {};
  try {
    config.loadFromOptions({
      clusters: [toCluster(to)],
      users: [toUser(to)],
      contexts: [{ name: 'chosen', cluster: 'chosen', user: 'chosen' }],
      currentContext: 'chosen',
    });
    await config.applyToHTTPSOptions(options);
  } catch (problem) {
    throw clusterError(
      `error: getting credentials: ${problem instanceof Error ? problem.message.trim() : String(problem)}`,
    );
  }
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  if (typeof options['auth'] === 'string')
    headers['Authorization'] = `Basic ${Buffer.from(options['auth']).toString('base64')}`;
  const names = ['ca', 'cert', 'key', 'pfx', 'passphrase', 'rejectUnauthorized', 'servername'];
  const tls = names.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]]]));
  return { headers, tls: Object.fromEntries(tls) };
}

function toCluster({ cluster, server }: Destination) {
  return {
    name: 'chosen',
    server,
    caData: textOf(cluster['certificate-authority-data']),
    caFile: textOf(cluster['certificate-authority']),
    // the library refuses plain http otherwise; kubectl does not
    skipTLSVerify: cluster['insecure-skip-tls-verify'] === true || server.startsWith('http://'),
    tlsServerName: textOf(cluster['tls-server-name']),
  } as never;
}

function toUser({ user }: Destination) {
  const tokenFile = textOf(user['tokenFile']);
  return {
    name: 'chosen',
    certData: textOf(user['client-certificate-data']),
    certFile: textOf(user['client-certificate']),
    keyData: textOf(user['client-key-data']),
    keyFile: textOf(user['client-key']),
    token: tokenFile === undefined ? textOf(user['token']) : readToken(tokenFile),
    username: textOf(user['username']),
    password: textOf(user['password']),
    exec: user['exec'] === undefined ? undefined : fieldsOf(user['exec']),
    authProvider: user['auth-provider'] === undefined ? undefined : fieldsOf(user['auth-provider']),
  } as never;
}
