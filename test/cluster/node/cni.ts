// The network of the Pods: each has an address in a subnet that no other cluster on this machine has, and reaches the host.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One /24 for each port that ports.ts gives out: the apiserver's is this cluster's alone for as long as it lives. */
export function subnetOf(server: string): string {
  const number = Number(new URL(server).port) - 20_000;
  return `10.${200 + Math.floor(number / 256)}.${number % 256}.0/24`;
}

/**
 * Of the Service `kubernetes`, always the first of its range: the Services have the range of the Pods, so it is their gateway too, which
 * every Pod has a route to, and the host has as long as there is a Pod. Nothing else is a Service here.
 */
export const apiAddressOf = (server: string): string => subnetOf(server).replace('.0/24', '.1');

/** The folder that containerd reads. https://www.cni.dev/plugins/current/main/ptp/ */
export function writeCni(dir: string, subnet: string): string {
  const folder = join(dir, 'net.d');
  mkdirSync(folder);
  const ipam = { type: 'host-local', dataDir: join(dir, 'addresses'), subnet };
  const list = {
    cniVersion: '1.0.0',
    name: 'pods',
    // Masquerading would take iptables on the host, and leave rules there.
    plugins: [{ type: 'ptp', ipMasq: false, ipam }],
  };
  writeFileSync(join(folder, '10-pods.conflist'), JSON.stringify(list));
  return folder;
}

/** The links of its Pods on the host: the plugin routes each address to the one that leads there. */
export function podLinks(subnet: string): readonly string[] {
  const [first, second, third] = subnet.split('.').map(Number);
  // The kernel prints the four bytes of an address as one number of this machine, which has the lowest byte first.
  const network = [third, second, first].map(byte => (byte ?? 0).toString(16).padStart(2, '0')).join('');
  return readFileSync('/proc/net/route', 'utf8')
    .split('\n')
    .map(line => line.split('\t'))
    .filter(([, destination]) => destination?.slice(2).toLowerCase() === network)
    .map(([link = '']) => link);
}
