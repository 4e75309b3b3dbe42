// Logging in: the client library's KubeConfig, given only the chosen entries. What it lacks is in login-plugin.ts.
import { clusterError } from '../errors.ts';
import { fieldsOf, textOf } from './adapt-meta.ts';
import { type Destination, readToken } from './destination.ts';
import { askPlugin, type Credential } from './login-plugin.ts';

export interface Login {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Readonly<Record<string, unknown>>;
}

/** A fresh login each time: token files are read and exec plugins asked again. */
export async function logIn(to: Destination): Promise<Login> {
  const exec = to.user['exec'];
  const credential = exec === undefined ? {} : await askPlugin(fieldsOf(exec), to);
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const options: Record<string, unknown> & { headers?: Record<string, unknown> } = {};
  try {
    config.loadFromOptions({
      clusters: [toCluster(to)],
      users: [toUser(to, credential)],
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

const inBase64 = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text).toString('base64');

/** What a plugin answered wins over what the kubeconfig says, as in kubectl. */
function toUser({ user }: Destination, credential: Credential) {
  const tokenFile = textOf(user['tokenFile']);
  return {
    name: 'chosen',
    certData: inBase64(credential.certificate) ?? textOf(user['client-certificate-data']),
    certFile: textOf(user['client-certificate']),
    keyData: inBase64(credential.key) ?? textOf(user['client-key-data']),
    keyFile: textOf(user['client-key']),
    token: credential.token ?? (tokenFile === undefined ? textOf(user['token']) : readToken(tokenFile)),
    username: textOf(user['username']),
    password: textOf(user['password']),
    authProvider: user['auth-provider'] === undefined ? undefined : fieldsOf(user['auth-provider']),
  } as never;
}
