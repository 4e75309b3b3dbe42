// C03: which proxy is taken, as kubectl takes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxyFromEnvironment } from '../../../src/cluster/proxy.ts';

const proxy = 'http://p:1';
const standard = 'https://api.example:6443';

const cases: readonly (readonly [
  env: Record<string, string>,
  expected: string | undefined,
  server?: string,
])[] = [
  [{}, undefined],
  [{ HTTPS_PROXY: proxy }, proxy],
  [{ https_proxy: proxy }, proxy],
  [{ HTTPS_PROXY: '', https_proxy: proxy }, proxy],
  [{ HTTPS_PROXY: 'p.example:3128' }, 'http://p.example:3128'],
  [{ HTTP_PROXY: proxy }, undefined],
  [{ HTTP_PROXY: proxy }, proxy, 'http://api.example'],
  [{ HTTPS_PROXY: proxy }, undefined, 'https://127.0.0.1:1'],
  [{ HTTPS_PROXY: proxy }, undefined, 'https://[::1]:1'],
  [{ HTTPS_PROXY: proxy }, undefined, 'https://localhost'],
];

const excluded: readonly (readonly [noProxy: string, isExcluded: boolean, server?: string])[] = [
  ['*', true],
  ['', false],
  [' ,,', false],
  ['x, api.example', true],
  ['API.Example', true],
  ['example', true],
  ['.example', true],
  ['*.example', true],
  ['.api.example', false],
  ['pi.example', false],
  ['api.example:6443', true],
  ['api.example:443', false],
  ['api.example:443', true, 'https://api.example'],
  ['10.0.0.0/8', true, 'https://10.1.2.3:6443'],
  ['10.0.0.0/8', false, 'https://11.1.2.3:6443'],
  ['10.0.0.0/8', false],
  ['10.0.0.0/99', false, 'https://10.1.2.3'],
  ['10.1.2.3', true, 'https://10.1.2.3:6443'],
  ['10.1.2.3:6443', true, 'https://10.1.2.3:6443'],
  ['0.1.2.3', false, 'https://10.0.1.2.3.example'],
  ['2.3', false, 'https://10.1.2.3'],
  ['fd00::/8', true, 'https://[fd00::1]:6443'],
  ['fd00::1', true, 'https://[fd00::1]:6443'],
  ['[fd00::1]:6443', true, 'https://[fd00::1]:6443'],
  ['[fd00::1]:1', false, 'https://[fd00::1]:6443'],
];

for (const [env, expected, server = standard] of cases) {
  test(`C03: ${JSON.stringify(env)} for ${server}: ${expected ?? 'no proxy'}`, () =>
    assert.equal(proxyFromEnvironment(server, env), expected));
}

for (const [noProxy, isExcluded, server = standard] of excluded) {
  test(`C03: NO_PROXY "${noProxy}" ${isExcluded ? 'excludes' : 'does not exclude'} ${server}`, () =>
    assert.equal(
      proxyFromEnvironment(server, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }),
      isExcluded ? undefined : proxy,
    ));
}
