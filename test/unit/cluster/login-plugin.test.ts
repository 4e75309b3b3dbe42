// What a login plugin is told about the cluster.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findDestination } from '../../../src/cluster/destination.ts';
import { logIn } from '../../../src/cluster/login.ts';

test('provideClusterInfo: the authority as data wherever it stands, and what the cluster keeps for plugins', async t => {
  const dir = mkdtempSync(join(tmpdir(), 'jobctl-unit-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const kubeconfig = join(dir, 'config');
  writeFileSync(join(dir, 'ca.crt'), 'an authority');
  const script = `
    const { spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
    const token = Buffer.from(JSON.stringify(spec.cluster)).toString('base64');
    console.log(JSON.stringify({ status: { token } }));`;
  const config = {
    'current-context': 'x',
    clusters: [
      {
        name: 'c',
        cluster: {
          server: 'https://api.example:6443',
          'certificate-authority': 'ca.crt',
          'tls-server-name': 'other.example',
          extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }],
        },
      },
    ],
    users: [
      {
        name: 'u',
        user: { exec: { command: process.execPath, args: ['-e', script], provideClusterInfo: true } },
      },
    ],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const { headers } = await logIn(findDestination({ verbosity: 0, kubeconfig }, {}));
  const told = headers['Authorization']?.replace('Bearer ', '') ?? '';
  assert.deepEqual(JSON.parse(Buffer.from(told, 'base64').toString()), {
    server: 'https://api.example:6443',
    'certificate-authority-data': Buffer.from('an authority').toString('base64'),
    'tls-server-name': 'other.example',
    config: { audience: 'a' },
  });
});
