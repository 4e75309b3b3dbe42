// Logging in: certificates, tokens and passwords as the kubeconfig says, a plugin's answer over them, or a way of the client library.
import { readFileSync } from 'node:fs';
import { clusterError } from '../errors.ts';
import { given } from '../model/given.ts';
import { type Fields, fieldsOf, textOf } from './adapt-meta.ts';
import { type Destination, readToken } from './destination.ts';
import { libraryHeaders } from './library-login.ts';
import { askPlugin, type Credential } from './login-plugin.ts';

export interface Login {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Readonly<Record<string, unknown>>;
}

/** A fresh login each time: token files are read, and plugins and providers asked, again. `unattended`: as askPlugin takes it. */
export async function logIn(to: Destination, unattended?: AbortSignal): Promise<Login> {
  const { cluster, user } = to;
  const credential =
    user['exec'] === undefined ? {} : await askPlugin(fieldsOf(user['exec']), to, unattended);
  try {
    const tls = given({
      ca: pem(cluster, 'certificate-authority'),
      cert: credential.certificate ?? pem(user, 'client-certificate'),
      key: credential.key ?? pem(user, 'client-key'),
      servername: textOf(cluster['tls-server-name']),
      rejectUnauthorized: cluster['insecure-skip-tls-verify'] === true ? false : undefined,
    });
    // the library is 600 modules: loading it takes most of a start (0.9 s of processor time, measured), so only who needs it pays
    const provider =
      user['auth-provider'] === undefined ? {} : await libraryHeaders(fieldsOf(user['auth-provider']));
    return { tls, headers: { ...provider, ...plainHeaders(user, credential) } };
  } catch (problem) {
    throw clusterError(
      `error: getting credentials: ${problem instanceof Error ? problem.message.trim() : String(problem)}`,
    );
  }
}

/** `…-data` wins over the file of the same name, as in kubectl. */
function pem(entry: Fields, name: string): string | undefined {
  const data = textOf(entry[`${name}-data`]);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const file = textOf(entry[name]);
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

function plainHeaders(user: Fields, credential: Credential): Record<string, string> {
  const tokenFile = textOf(user['tokenFile']);
  const token = credential.token ?? (tokenFile === undefined ? textOf(user['token']) : readToken(tokenFile));
  if (token !== undefined) return { Authorization: `Bearer ${token}` };
  const username = textOf(user['username']);
  if (username === undefined) return {};
  return {
    Authorization: `Basic ${Buffer.from(`${username}:${textOf(user['password']) ?? ''}`).toString('base64')}`,
  };
}
