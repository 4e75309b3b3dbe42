// A Kubernetes API server in memory, behind real sockets. Its rules, and where each is from, are in fake-api.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Collector, type CollectorPace } from './fake/collector.ts';
import { Contents } from './fake/contents.ts';
import { Faults } from './fake/faults.ts';
import { builtInKinds } from './fake/kinds.ts';
import {
  type ContextWords,
  type Place,
  writeAdminKubeconfig,
  writeFakeKubeconfig,
} from './fake/kubeconfig.ts';
import { Lists } from './fake/list.ts';
import { RequestLog } from './fake/log.ts';
import { Rights } from './fake/rights.ts';
import { type Desk, serve } from './fake/serve.ts';
import { type Listener, listen, type Protocol } from './fake/sockets.ts';
import { Store } from './fake/store.ts';
import { now as fixedNow } from './time.ts';

export interface FakeOptions {
  /** `h2` without it: TLS, HTTP/2 and HTTP/1.1 by ALPN. */
  readonly protocol?: Protocol;
  /** `real`: the machine's clock; a Date: it stands still. Without it, the fixed moment of time.ts. */
  readonly clock?: 'real' | Date;
  /** Without it the garbage collector works at once. */
  readonly collector?: CollectorPace;
  /** A bound Pod ends this long after its delete; without it, when the test says endPod. */
  readonly podsEndAfterMs?: number;
}

/** `t` of a test, or whatever ends it. */
export interface Lifetime {
  after(end: () => Promise<unknown>): void;
}

export class FakeApi extends Contents {
  readonly faults = new Faults();
  readonly log = new RequestLog();
  readonly collector: Collector;
  /** Goes when the fake is closed. */
  readonly dir = mkdtempSync(join(tmpdir(), 'jobctl-fake-'));
  readonly #desk: Desk;
  readonly #protocol: Protocol;
  #listener: Listener | undefined;
  #place: Place = { server: '', authority: undefined };
  #files = 0;

  constructor({ protocol = 'h2', clock = fixedNow, collector = 'at once', podsEndAfterMs }: FakeOptions) {
    const store = new Store();
    const now = clock === 'real' ? () => new Date() : () => clock;
    const rights = new Rights();
    const lists = new Lists(store);
    const cluster = {
      store,
      lists,
      rights,
      kinds: [...builtInKinds],
      silentGroups: [],
      ghosts: new Set<string>(),
      logs: new Map<string, string>(),
      now,
    };
    super(cluster, podsEndAfterMs);
    this.collector = new Collector(store, now, collector);
    this.#protocol = protocol;
    this.#desk = { cluster, faults: this.faults, log: this.log, token: undefined };
  }

  /** Also after stop(): on the same port, with the same contents. */
  async start(): Promise<void> {
    const port = this.#place.server === '' ? 0 : Number(new URL(this.#place.server).port);
    this.#listener = await listen(this.#protocol, exchange => void this.#serve(exchange), port);
    this.#place = { server: this.#listener.url, authority: this.#listener.authority };
  }

  /** As a server that dies: open connections break, new ones are refused. */
  async stop(): Promise<void> {
    await this.#listener?.close();
    this.#listener = undefined;
  }

  async close(): Promise<void> {
    this.collector.stop();
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  async #serve(exchange: Parameters<typeof serve>[1]): Promise<void> {
    try {
      await serve(this.#desk, exchange);
    } catch {
      // the client went away in the middle of its request
      exchange.reset();
    }
  }

  /** `https://127.0.0.1:PORT` */
  get url(): string {
    return this.#place.server;
  }

  /** PEM */
  get authority(): string | undefined {
    return this.#place.authority;
  }

  /** New connections are accepted and never answered. */
  freeze(): void {
    this.#listener?.freeze();
  }

  thaw(): void {
    this.#listener?.thaw();
  }

  breakConnections(): void {
    this.#listener?.breakAll();
  }

  /** As an API server that spreads its clients over its replicas (--goaway-chance), or ends gracefully. */
  goAway(): void {
    this.#listener?.goAway();
  }

  /** From now on any other bearer token is answered with 401; undefined takes everybody again. */
  acceptOnly(token: string | undefined): void {
    this.#desk.token = token;
  }

  /** A new kubeconfig with these contexts, the first one current; one context `fake`, namespace `batch`, user `tester` if none is given. */
  kubeconfig(...contexts: readonly (ContextWords & { readonly at?: FakeApi })[]): string {
    const wanted = contexts.length === 0 ? [{}] : contexts;
    const placed = wanted.map(({ at, ...words }) => ({
      ...words,
      at: at === undefined ? this.#place : at.#place,
    }));
    return writeFakeKubeconfig(this.#file(), placed);
  }

  /** For the requests of test/cluster/admin.ts, which meet neither faults nor rights. */
  adminKubeconfig(): string {
    return writeAdminKubeconfig(this.#file(), this.#place);
  }

  #file(): string {
    this.#files += 1;
    return join(this.dir, `${this.#files}.kubeconfig`);
  }
}

/** Ends with the test. */
export async function startFakeApi(t: Lifetime, options: FakeOptions = {}): Promise<FakeApi> {
  const api = new FakeApi(options);
  await api.start();
  t.after(() => api.close());
  return api;
}
