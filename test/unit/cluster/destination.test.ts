// Where requests go, with which TLS settings and as whom: the chosen entries with the flags laid over them.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Destination, findDestination } from '../../../src/cluster/destination.ts';
import { chooseInCluster } from '../../../src/cluster/in-cluster.ts';
import { logIn } from '../../../src/cluster/login.ts';
import type { ConnectionOptions } from '../../../src/model/connection.ts';

const dir = mkdtempSync(join(tmpdir(), 'jobctl-unit-'));
after(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;

interface Given {
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<ConnectionOptions>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A kubeconfig with one context, read with these flags and this environment. */
function destinationOf({ cluster, user, options, env }: Given): Destination {
  files += 1;
  const path = join(dir, `${files}`);
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://api.example:6443', ...cluster } }],
    users: [{ name: 'u', user: { token: 'secret', ...user } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  writeFileSync(path, JSON.stringify(config));
  return findDestination({ verbosity: 0, ...options }, { KUBECONFIG: path, ...env });
}

test('C05: a context whose cluster has no server is an error that names the cluster', () => {
  assert.throws(() => destinationOf({ cluster: { server: '' } }), /error: no server found for cluster "c"/);
  assert.throws(() => destinationOf({ cluster: { server: 'https://a b' } }), /is not an address/);
  assert.equal(
    destinationOf({ cluster: { server: '' }, options: { server: 'https://y' } }).server,
    'https://y',
  );
});

test('C06: tls-server-name of the cluster, or of the flag, is what the certificate is checked against', async () => {
  const cluster = { server: 'https://127.0.0.1:6443', 'tls-server-name': 'api.example' };
  assert.equal((await logIn(destinationOf({ cluster }))).tls['servername'], 'api.example');
  const flagged = destinationOf({ cluster, options: { tlsServerName: 'other.example' } });
  assert.equal((await logIn(flagged)).tls['servername'], 'other.example');
});

test('C07: an IPv6 address keeps its brackets', () => {
  assert.equal(
    destinationOf({ cluster: { server: 'https://[fd00::1]:6443/' } }).server,
    'https://[fd00::1]:6443',
  );
  assert.equal(destinationOf({ cluster: { server: '[fd00::1]:6443' } }).server, 'https://[fd00::1]:6443');
});

test('C21: a token file is read at each login, and plain http is no obstacle', async () => {
  const tokenFile = join(dir, 'token');
  const to = destinationOf({
    cluster: { server: 'http://127.0.0.1:8001' },
    user: { token: 'old', tokenFile },
  });
  writeFileSync(tokenFile, 'one\n');
  assert.equal((await logIn(to)).headers['Authorization'], 'Bearer one');
  writeFileSync(tokenFile, 'two\n');
  assert.equal((await logIn(to)).headers['Authorization'], 'Bearer two');
});

test('C21: a token file that is not there is told as kubectl tells failing credentials', async () => {
  const to = destinationOf({ user: { tokenFile: join(dir, 'nope') } });
  await assert.rejects(logIn(to), /^Error: error: getting credentials: .*nope/);
});

test('flags win over the kubeconfig, and a token leaves no other login behind', async () => {
  const user = {
    tokenFile: join(dir, 'nope'),
    exec: { command: 'nope', apiVersion: 'v1' },
    username: 'x',
    password: 'y',
  };
  const to = destinationOf({ user, options: { token: 'mine', namespace: 'n', server: 'https://other:1' } });
  assert.deepEqual([to.server, to.namespace], ['https://other:1', 'n']);
  assert.deepEqual((await logIn(to)).headers, { Authorization: 'Bearer mine' });
  const basic = await logIn(destinationOf({ user: { token: '', username: 'x', password: 'y' } }));
  assert.equal(basic.headers['Authorization'], `Basic ${Buffer.from('x:y').toString('base64')}`);
});

test('a certificate of a flag replaces the data of the kubeconfig', () => {
  const to = destinationOf({
    cluster: { 'certificate-authority-data': 'AAAA' },
    user: { 'client-certificate-data': 'AAAA', 'client-key-data': 'AAAA' },
    options: { certificateAuthority: '/ca', clientCertificate: '/crt', clientKey: '/key' },
  });
  assert.deepEqual(to.cluster, { server: 'https://api.example:6443', 'certificate-authority': '/ca' });
  assert.deepEqual(to.user, { token: 'secret', 'client-certificate': '/crt', 'client-key': '/key' });
});

test('an authority of a flag is checked, whatever the kubeconfig says; a server of a flag has its own name', () => {
  const cluster = { 'insecure-skip-tls-verify': true, 'tls-server-name': 'api.example' };
  assert.deepEqual(destinationOf({ cluster, options: { certificateAuthority: '/ca' } }).cluster, {
    server: 'https://api.example:6443',
    'tls-server-name': 'api.example',
    'certificate-authority': '/ca',
  });
  const server = 'https://other:1';
  assert.deepEqual(destinationOf({ cluster, options: { server } }).cluster, {
    server,
    'insecure-skip-tls-verify': true,
  });
});

test('C20: impersonation of the kubeconfig', () => {
  const user = {
    as: 'jane',
    'as-uid': '7',
    'as-groups': ['a', 'b'],
    'as-user-extra': { 'example.com/x': ['1', '2'] },
  };
  assert.deepEqual(destinationOf({ user }).impersonation, [
    ['Impersonate-User', 'jane'],
    ['Impersonate-Group', 'a'],
    ['Impersonate-Group', 'b'],
    ['Impersonate-Uid', '7'],
    ['Impersonate-Extra-example.com%2Fx', '1'],
    ['Impersonate-Extra-example.com%2Fx', '2'],
  ]);
  assert.deepEqual(destinationOf({ user, options: { as: 'bob' } }).impersonation, [
    ['Impersonate-User', 'bob'],
  ]);
  assert.throws(() => destinationOf({ options: { asGroups: ['a'] } }), /needs a user/);
  assert.throws(() => destinationOf({ user, options: { asUserExtra: ['a=b'] } }), /needs a user/);
  assert.throws(() => destinationOf({ options: { as: 'x', asUserExtra: ['novalue'] } }), /is not KEY=VALUE/);
});

test('C03: proxy-url of the kubeconfig is stronger than the environment', () => {
  const env = { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' };
  assert.equal(destinationOf({ env }).proxy, undefined);
  assert.equal(destinationOf({ env, cluster: { 'proxy-url': 'http://q:2' } }).proxy, 'http://q:2');
  assert.equal(destinationOf({ env: { HTTPS_PROXY: 'http://p:1' } }).proxy, 'http://p:1');
});

test('C03: a proxy of an unknown kind is told, without the password that may stand in it', () => {
  const cluster = { 'proxy-url': 'ftp://me:secret@q:2' };
  assert.throws(
    () => destinationOf({ cluster }),
    /unsupported proxy scheme "ftp", must be http, https, or socks5$/,
  );
  assert.throws(
    () => destinationOf({ cluster: { 'proxy-url': 'a b' } }),
    /^Error: error: the proxy is not an address$/,
  );
});

test('in a Pod its service account is used, and IPv6 gets brackets', () => {
  const root = join(dir, 'serviceaccount');
  mkdirSync(root);
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  assert.equal(chooseInCluster(env, root), undefined, 'no account is mounted');
  writeFileSync(join(root, 'namespace'), 'mine\n');
  assert.equal(chooseInCluster({}, root), undefined, 'not in a Pod');
  const chosen = chooseInCluster(env, root);
  assert.equal(chosen?.namespace, 'mine');
  assert.deepEqual(chosen?.cluster, {
    server: 'https://[fd00::1]:443',
    'certificate-authority': join(root, 'ca.crt'),
  });
  assert.deepEqual(chosen?.user, { tokenFile: join(root, 'token') });
});

test('where nothing says anything it is localhost, as with kubectl', () => {
  const to = findDestination({ verbosity: 0 }, {});
  assert.deepEqual([to.server, to.namespace, to.context], ['http://localhost:8080', 'default', undefined]);
});
