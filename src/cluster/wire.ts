// The connections: one HTTP/2 connection where the server speaks it (ALPN says), a bounded pool of HTTP/1.1 ones where not.
// Over one connection HTTP/2 was two to three times as fast as a pool of HTTP/1.1 ones (deletes, one server, side by side).
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Destination } from './destination.ts';
import type { Login } from './login.ts';

const poolSize = 16;
const connectTimeoutMs = 10_000;
/** Load balancers cut idle connections after 60 s; client-go probes at 30. */
const keepAliveInitialDelay = 30_000;

export class Wire {
  readonly #to: Destination;
  readonly #login: Login;
  #dispatcher: Dispatcher | undefined;
  #speaksHttp2: boolean | undefined;

  constructor(to: Destination, login: Login) {
    this.#to = to;
    this.#login = login;
    // undici joins repeated headers with a comma over HTTP/2, which would make one group of several
    const repeated = to.impersonation.length > new Set(to.impersonation.map(([name]) => name)).size;
    if (to.server.startsWith('http://') || to.proxy !== undefined || repeated) this.#speaksHttp2 = false;
  }

  /** The dispatcher for the next request. The first connection finds out what the server speaks. */
  dispatcher(): Dispatcher {
    this.#dispatcher ??= this.#open();
    return this.#dispatcher;
  }

  /** A connection that stopped answering: the next request opens a new one. Those in flight on it fail. */
  async retire(broken: Dispatcher): Promise<void> {
    if (this.#dispatcher === broken) this.#dispatcher = undefined;
    await broken.destroy();
  }

  async close(): Promise<void> {
    await this.#dispatcher?.destroy();
  }

  #open(): Dispatcher {
    const { proxy } = this.#to;
    const server = new URL(this.#to.server).origin;
    const tls = { ...this.#login.tls, timeout: connectTimeoutMs, keepAlive: true, keepAliveInitialDelay };
    if (proxy !== undefined)
      return new ProxyAgent({ uri: proxy, requestTls: tls, connections: poolSize, allowH2: false });
    if (this.#speaksHttp2 === false)
      return new Pool(server, { connections: poolSize, connect: tls, allowH2: false });
    const connect = buildConnector({ ...tls, allowH2: true });
    return new Pool(server, {
      connections: 1,
      allowH2: true,
      pipelining: 1,
      connect: (options, callback) =>
        connect(options, (...[error, socket]) => {
          if (socket !== null && socket !== undefined)
            this.#learn((socket as { alpnProtocol?: unknown }).alpnProtocol === 'h2');
          callback(...([error, socket] as Parameters<typeof callback>));
        }),
    });
  }

  #learn(speaksHttp2: boolean): void {
    if (this.#speaksHttp2 === speaksHttp2) return;
    this.#speaksHttp2 = speaksHttp2;
    if (speaksHttp2) return;
    // one HTTP/1.1 connection would run requests one after the other: later ones get a pool; this one ends what it has begun
    const single = this.#dispatcher;
    this.#dispatcher = undefined;
    setImmediate(() => void single?.close());
  }
}
