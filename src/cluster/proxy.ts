// Which proxy the environment names for a server: HTTPS_PROXY, HTTP_PROXY and NO_PROXY as Go reads them, so that a cluster that
// kubectl reaches is reached here too. Source: golang.org/x/net/http/httpproxy.
import { BlockList, isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

export function proxyFromEnvironment(server: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  // set to nothing is not set
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy || hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]')
    return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: port || (protocol === 'https:' ? '443' : '80') };
  const excluded = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map(entry => entry.trim());
  if (excluded.some(entry => excludes(entry.toLowerCase(), address))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** `*`, an address, a network (10.0.0.0/8), a domain with its subdomains, `.domain` for those alone; each but a network with a port if wanted. */
function excludes(entry: string, { host, port }: { readonly host: string; readonly port: string }): boolean {
  if (entry === '' || entry === '*') return entry === '*';
  if (entry.includes('/')) return isWithin(host, entry);
  const [, bracketed, plain, only] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  // an IPv6 address without brackets has no port
  const name = bracketed ?? plain ?? entry;
  if (only !== undefined && only !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  const domain = name.replace(/^\*/, '');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function isWithin(host: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/', 2);
  const family = isIP(base);
  const length = Number(bits);
  const isNetwork = family !== 0 && /^\d+$/.test(bits) && length <= (family === 4 ? 32 : 128);
  if (!isNetwork || isIP(host) !== family) return false;
  const list = new BlockList();
  list.addSubnet(base, length, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
