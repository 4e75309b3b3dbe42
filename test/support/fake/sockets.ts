// Real sockets: plain HTTP/1.1, or TLS with HTTP/2 and HTTP/1.1 by ALPN, as an API server speaks them.
import {
  createServer as createHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Authority } from '../../cluster/certificates.ts';

/** `h2`: HTTP/2, and HTTP/1.1 for who asks for it. `http/1.1`: TLS without HTTP/2. `plain`: no TLS. */
export type Protocol = 'h2' | 'http/1.1' | 'plain';

export interface Exchange {
  /** HTTP/2 comes in the same clothes: Node's compatibility layer. */
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse;
  /** Breaks the connection that it came on. */
  readonly reset: () => void;
}

export interface Listener {
  readonly url: string;
  /** PEM; undefined without TLS. */
  readonly authority: string | undefined;
  /** New connections are accepted and then met with silence, as by a machine that hangs. */
  freeze(): void;
  thaw(): void;
  /** Breaks every connection that is open. */
  breakAll(): void;
  /** GOAWAY to every HTTP/2 client: what is under way is answered, what comes next has to come on a new connection. */
  goAway(): void;
  close(): Promise<void>;
}

let authority: Authority | undefined;

function talker(protocol: Protocol, onRequest: (request: never, response: never) => void) {
  if (protocol === 'plain') return createHttp(onRequest as never);
  authority ??= new Authority('jobctl-test-fake-ca');
  const { certificate: cert, key } = authority.issue({ name: 'fake-api' });
  if (protocol === 'http/1.1') return createHttps({ cert, key }, onRequest as never);
  // 100 is what an API server grants by default
  const settings = { maxConcurrentStreams: 100 };
  return createSecureServer({ cert, key, allowHTTP1: true, settings }, onRequest as never);
}

export async function listen(
  protocol: Protocol,
  serve: (exchange: Exchange) => void,
  port = 0,
): Promise<Listener> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const inner = talker(protocol, (request: Exchange['request'], response: Exchange['response']) => {
    const isHttp2 = 'stream' in request;
    const reset = () => {
      const session = isHttp2 ? request.stream.session : undefined;
      if (session === undefined) request.socket.destroy();
      else session.destroy();
    };
    serve({ request, response, reset });
  }) as Server;
  inner.on('clientError', (_, socket) => socket.destroy());
  const sessions = new Set<ServerHttp2Session>();
  inner.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  // what a broken connection leaves behind is no failure of a test
  inner.on('sessionError', () => undefined);
  const front = createServer(socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    if (!isFrozen) inner.emit('connection', socket);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  front.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
  const breakAll = () => {
    // Not resetAndDestroy(): while a FIN is on its way libuv refuses a reset, and Node then loses the handle: the process
    // waits for it for ever when it ends (Node 22.23; uv_tcp_close_reset answers EINVAL).
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${protocol === 'plain' ? 'http' : 'https'}://127.0.0.1:${(front.address() as AddressInfo).port}`,
    authority: protocol === 'plain' ? undefined : authority?.certificate,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    breakAll,
    goAway: () => {
      for (const session of sessions) session.close();
    },
    close: async () => {
      const closed = Promise.withResolvers<void>();
      front.close(() => closed.resolve());
      breakAll();
      await closed.promise;
    },
  };
}
