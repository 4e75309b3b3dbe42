// The client library's own ways of logging in (OpenID Connect, Azure, Google): what `auth-provider` names in a kubeconfig.
import type { Fields } from './adapt-meta.ts';

const server = 'https://provider.invalid';

/** The headers that the provider gives. It is handed a cluster that nobody connects to: only the login is wanted. */
export async function libraryHeaders(authProvider: Fields): Promise<Record<string, string>> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'chosen', server, skipTLSVerify: false }],
    users: [{ name: 'chosen', authProvider }],
    contexts: [{ name: 'chosen', cluster: 'chosen', user: 'chosen' }],
    currentContext: 'chosen',
  });
  const options: { headers?: Record<string, unknown> } = {};
  await config.applyToHTTPSOptions(options as never);
  return Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
}
