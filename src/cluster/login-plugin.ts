// A login plugin of the kubeconfig (`exec`), run so that the person in front of it sees what it says: the client library keeps its
// standard error and closes its standard input, so a device code would never be seen and the login would look hung (javascript#2044).
// Source: client.authentication.k8s.io/v1, k8s.io/client-go/plugin/pkg/client/auth/exec.
import { type StdioOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { clusterError } from '../errors.ts';
import { given } from '../model/given.ts';
import { type Fields, fieldsOf, listOf, textOf, textsOf } from './adapt-meta.ts';
import type { Destination } from './destination.ts';

/** What a plugin answers; texts as they are, not in base64. */
export interface Credential {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * Throws an EarlyEnd that names the plugin, with the kubeconfig's own hint where it is not installed. `unattended`: nobody is there
 * to read what it says or to answer, and this signal ends it.
 */
export async function askPlugin(
  exec: Fields,
  to: Destination,
  unattended?: AbortSignal,
): Promise<Credential> {
  const command = textOf(exec['command']);
  if (command === undefined) throw failure('exec: the kubeconfig names no command');
  const mode = textOf(exec['interactiveMode']) ?? 'IfAvailable';
  const interactive = mode !== 'Never' && unattended === undefined && isatty(0);
  if (mode === 'Always' && !interactive)
    throw failure(`exec: ${command} needs a terminal to ask on, and there is none`);
  const own = listOf(exec['env'])
    .map(fieldsOf)
    .map(({ name, value }) => [String(name), String(value)]);
  const info = JSON.stringify(execInfo(exec, to, interactive));
  const text = await run(command, listOf(exec['args']).map(String), {
    env: { ...to.env, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: info },
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', unattended === undefined ? 'inherit' : 'ignore'],
    ...given({ signal: unattended }),
    hint: textOf(exec['installHint']),
  });
  return toCredential(command, text);
}

const failure = (text: string, hint?: string) => clusterError(`error: getting credentials: ${text}`, hint);

function execInfo(exec: Fields, to: Destination, interactive: boolean): object {
  const spec = { interactive, ...(exec['provideClusterInfo'] === true ? { cluster: clusterInfo(to) } : {}) };
  return {
    apiVersion: textOf(exec['apiVersion']) ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec,
  };
}

/** Source: client-go rest.ConfigToExecCluster: an authority goes as data, wherever it stands; `config` is the cluster's extension. */
function clusterInfo({ cluster, server }: Destination): object {
  const extension = listOf(cluster['extensions'])
    .map(fieldsOf)
    .find(({ name }) => name === 'client.authentication.k8s.io/exec');
  return {
    server,
    ...given({
      'certificate-authority-data': authorityData(cluster),
      'proxy-url': textOf(cluster['proxy-url']),
      config: extension?.['extension'],
      'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'] === true ? true : undefined,
      'tls-server-name': textOf(cluster['tls-server-name']),
    }),
  };
}

function authorityData(cluster: Fields): string | undefined {
  const file = textOf(cluster['certificate-authority']);
  const data = textOf(cluster['certificate-authority-data']);
  if (data !== undefined || file === undefined) return data;
  try {
    return readFileSync(file).toString('base64');
  } catch {
    throw failure(`the certificate authority ${file} cannot be read`);
  }
}

interface How {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdio: StdioOptions;
  readonly signal?: AbortSignal;
  readonly hint: string | undefined;
}

function run(command: string, args: readonly string[], { hint, ...how }: How): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(command, args, how);
  let text = '';
  child.stdout?.on('data', chunk => {
    text += chunk;
  });
  child.on('error', problem => {
    const missing = 'code' in problem && problem.code === 'ENOENT';
    reject(
      missing ? failure(`exec: executable ${command} not found`, hint) : failure(`exec: ${problem.message}`),
    );
  });
  child.on('close', code => {
    if (code === 0) resolve(text);
    else reject(failure(`exec: executable ${command} failed with exit code ${code}`));
  });
  return promise;
}

function toCredential(command: string, text: string): Credential {
  let status: Readonly<Record<string, string | undefined>>;
  try {
    status = textsOf(fieldsOf(JSON.parse(text))['status']);
  } catch {
    throw failure(`exec: ${command} did not answer with an ExecCredential`);
  }
  return given({
    token: status['token'],
    certificate: status['clientCertificateData'],
    key: status['clientKeyData'],
  });
}
