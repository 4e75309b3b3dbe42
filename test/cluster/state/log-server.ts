// The log endpoint of a kubelet, played: the API server asks it, and passes on what it says. A node without a kubelet gets its address.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Admin } from '../admin.ts';
import { Authority } from '../certificates.ts';
import { nodePath } from './nodes.ts';

interface LogAsked {
  readonly pod: string;
  readonly container: string;
  /** `previous`, `tailLines` */
  readonly query: URLSearchParams;
}

type Answering = (asked: LogAsked, response: ServerResponse, request: IncomingMessage) => void;

/** Answers how to end it. The API server of the tests checks no certificate of a kubelet. */
export async function serveLogs(admin: Admin, node: string, answer: Answering): Promise<() => void> {
  const { certificate: cert, key } = new Authority('jobctl-test-kubelet').issue({ name: node });
  const server = createServer({ cert, key }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://kubelet');
    const [pod = '', container = ''] = pathname.split('/').slice(-2);
    answer({ pod, container, query: searchParams }, response, request);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve);
  await promise;
  await pointNodeAt(admin, node, (server.address() as AddressInfo).port);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/** Where the API server looks for the kubelet of a node. */
export async function pointNodeAt(admin: Admin, node: string, port: number): Promise<void> {
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const daemonEndpoints = { kubeletEndpoint: { Port: port } };
  await admin.patch(`${nodePath(node)}/status`, { status: { addresses, daemonEndpoints } });
}
