// The connection flags of `kubectl options`, with kubectl's meaning. kubectl hands a plugin nothing: each has to be read here.
import type { ConnectionOptions } from '../model/connection.ts';
import { given } from '../model/given.ts';
import { type Flags, type Offers, readFlags, type Texts } from './command.ts';
import { many, one, text, yesNo } from './flags.ts';
import { parseCount, parseDuration } from './parse.ts';

interface More {
  readonly letter?: string;
  readonly offers?: Offers;
}

const written = (placeholder: string, more: More = {}) => ({
  group: 'Connection' as const,
  placeholder,
  ...more,
});

export const connection = {
  namespace: one(
    'the namespace to work in',
    written('NAMESPACE', { letter: 'n', offers: 'namespaces' }),
    text,
  ),
  kubeconfig: one('path of the kubeconfig file', written('FILE', { offers: 'files' }), text),
  context: one('the kubeconfig context to use', written('NAME', { offers: 'contexts' }), text),
  cluster: one('the kubeconfig cluster to use', written('NAME', { offers: 'clusters' }), text),
  user: one('the kubeconfig user to use', written('NAME', { offers: 'users' }), text),
  server: one('address of the API server', written('URL', { letter: 's' }), text),
  'tls-server-name': one("the name to check the server's certificate against", written('NAME'), text),
  'insecure-skip-tls-verify': yesNo("do not check the server's certificate", { group: 'Connection' }),
  'certificate-authority': one(
    'path of a certificate of the authority',
    written('FILE', { offers: 'files' }),
    text,
  ),
  'client-certificate': one('path of a client certificate', written('FILE', { offers: 'files' }), text),
  'client-key': one("path of the client certificate's key", written('FILE', { offers: 'files' }), text),
  token: one('bearer token', written('TOKEN'), text),
  as: one('user to impersonate', written('USER'), text),
  'as-group': many('group to impersonate; may be repeated', written('GROUP')),
  'as-uid': one('uid to impersonate', written('UID'), text),
  'as-user-extra': many('user extra to impersonate, KEY=VALUE; may be repeated', written('KEY=VALUE')),
  'request-timeout': one(
    'how long one request may take, 0 for the default of 30s',
    written('DURATION'),
    parseDuration,
  ),
  'disable-compression': yesNo('do not ask for compressed answers', { group: 'Connection' }),
  'warnings-as-errors': yesNo('end with exit code 1 if the server sent a warning', { group: 'Connection' }),
  v: {
    about: 'show each request: method, path, status and milliseconds',
    group: 'Connection',
    letter: 'v',
    // kubectl's own -v needs a level, so `-v 6` must not make a name of the 6
    takes: { alone: '1', next: /^\d+$/ },
    placeholder: 'LEVEL',
    read: (texts: readonly string[], flag: string): number => {
      const given = texts.at(-1);
      return given === undefined ? 0 : parseCount(given, flag);
    },
  },
} as const satisfies Flags;

export function readConnection(texts: Texts): ConnectionOptions {
  const values = readFlags(connection, texts);
  return given({
    kubeconfig: values.kubeconfig,
    context: values.context,
    cluster: values.cluster,
    user: values.user,
    namespace: values.namespace,
    server: values.server,
    tlsServerName: values['tls-server-name'],
    insecureSkipTlsVerify: values['insecure-skip-tls-verify'] || undefined,
    certificateAuthority: values['certificate-authority'],
    clientCertificate: values['client-certificate'],
    clientKey: values['client-key'],
    token: values.token,
    as: values.as,
    asGroups: values['as-group'].length > 0 ? values['as-group'] : undefined,
    asUid: values['as-uid'],
    asUserExtra: values['as-user-extra'].length > 0 ? values['as-user-extra'] : undefined,
    requestTimeoutMs: values['request-timeout'],
    disableCompression: values['disable-compression'] || undefined,
    warningsAsErrors: values['warnings-as-errors'] || undefined,
    verbosity: values.v,
  }) as ConnectionOptions;
}
