// The three processes of one control plane, on ports that were free a moment ago; each can be ended and started again.
import { startApiserver } from './apiserver.ts';
import type { Binaries } from './binaries.ts';
import { writeCertificate } from './certificates.ts';
import type { ControlPlaneOptions } from './control-plane.ts';
import { startControllerManager } from './controller-manager.ts';
import { startEtcd } from './etcd.ts';
import { apiAddressOf, subnetOf } from './node/cni.ts';
import type { Pki } from './pki.ts';
import type { ServerProcess } from './process.ts';

const forNode = [
  // A node that went silent is known as such after seconds instead of 50.
  '--node-monitor-grace-period=10s',
  '--node-monitor-period=1s',
  // With the usual 20 requests a second it takes 5 s to make the service accounts of its controllers; only then the one
  // that takes the taint off a Ready node begins.
  '--kube-api-qps=200',
  '--kube-api-burst=300',
];

/** What kube-apiserver shows to the kubelet when it asks for logs. */
const toKubelet = (pki: Pki): readonly string[] => [
  `--kubelet-client-certificate=${pki.file('kubelet-client.crt')}`,
  `--kubelet-client-key=${pki.file('kubelet-client.key')}`,
];

const withoutCollector = '--controllers=*,-garbage-collector-controller';

export interface Place {
  readonly dir: string;
  readonly binaries: Binaries;
  readonly pki: Pki;
  /** etcd's two, the apiserver's, the controller-manager's. */
  readonly ports: readonly number[];
  readonly options: ControlPlaneOptions;
}

export class Servers {
  readonly #place: Place;
  #etcd: ServerProcess | undefined;
  #apiserver: ServerProcess | undefined;
  #controllerManager: ServerProcess | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  #port(index: 0 | 1 | 2 | 3): number {
    return this.#place.ports[index] ?? 0;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port(2)}`;
  }

  get etcdUrl(): string {
    return `http://127.0.0.1:${this.#port(0)}`;
  }

  async startEtcd(): Promise<void> {
    const { dir, binaries } = this.#place;
    const [port, peerPort] = [this.#port(0), this.#port(1)];
    this.#etcd = await startEtcd({ dir, binary: binaries.path.etcd, port, peerPort });
  }

  async startApiserver(): Promise<void> {
    if (this.#apiserver?.isRunning) return;
    const { dir, binaries, pki, options } = this.#place;
    this.#apiserver = await startApiserver({
      dir,
      pki,
      binary: binaries.path['kube-apiserver'],
      port: this.#port(2),
      etcdPort: this.#port(0),
      flags: [...(options.node === true ? this.#forPods() : []), ...(options.apiserverFlags ?? [])],
    });
  }

  /** Pods know it by the address of the Service `kubernetes`, which is this cluster's alone. */
  #forPods(): readonly string[] {
    const { pki } = this.#place;
    const addresses = [apiAddressOf(this.url)];
    writeCertificate(pki.file('apiserver'), pki.clients.issue({ name: 'kube-apiserver', addresses }));
    return [...toKubelet(pki), `--service-cluster-ip-range=${subnetOf(this.url)}`];
  }

  /** With `flags`, these instead of those it was first started with. */
  async startControllerManager(flags?: readonly string[]): Promise<void> {
    if (this.#controllerManager?.isRunning) return;
    const { dir, binaries, pki, options } = this.#place;
    const usual = [
      ...(options.garbageCollector === false ? [withoutCollector] : []),
      ...(options.node === true ? forNode : []),
      ...(options.controllerManagerFlags ?? []),
    ];
    this.#controllerManager = await startControllerManager({
      dir,
      pki,
      binary: binaries.path['kube-controller-manager'],
      server: this.url,
      port: this.#port(3),
      flags: flags ?? usual,
    });
  }

  /** A port that another etcd took first answers as healthy too, while ours has ended. */
  assertEtcd(): void {
    this.#etcd?.assertRunning();
  }

  async killApiserver(): Promise<void> {
    await this.#apiserver?.kill();
  }

  async stopControllerManager(): Promise<void> {
    await this.#controllerManager?.kill();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#controllerManager, this.#apiserver, this.#etcd].map(server => server?.kill()));
  }
}
