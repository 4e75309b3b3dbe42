// The one node of a test cluster: kube-scheduler, containerd and the kubelet, all of it real.
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Admin } from '../admin.ts';
import type { Pki } from '../pki.ts';
import { onFreePort } from '../ports.ts';
import type { ServerProcess } from '../process.ts';
import { until } from '../until.ts';
import { forgetCgroup, watchCgroup } from '../watchdog.ts';
import type { NodeBinaries } from './binaries.ts';
import { makeCgroup, removeCgroup } from './cgroups.ts';
import { podLinks, subnetOf, writeCni } from './cni.ts';
import { socketIn, startContainerd } from './containerd.ts';
import { image, importBusybox } from './image.ts';
import { type KubeletPlace, nodeName, startKubelet, writeKubeletFiles } from './kubelet.ts';
import type { Namespace } from './namespace.ts';
import { startScheduler } from './scheduler.ts';

export interface ClusterNode {
  readonly name: string;
  /** What Pods can run: a shell and the usual small commands. Not pulled: `imagePullPolicy` is IfNotPresent or Never. */
  readonly image: string;
  /** containerd's, for `ctr --address` or a client of the CRI. */
  readonly containerRuntimeSocket: string;
  /** Killed hard, as on a node that does not answer any more; containers go on running. */
  stopKubelet(): Promise<void>;
  /** Answers when the node is Ready again. */
  startKubelet(): Promise<void>;
}

export interface NodePlace {
  /** Of the cluster. */
  readonly dir: string;
  readonly binaries: NodeBinaries;
  readonly server: string;
  readonly pki: Pki;
  readonly admin: Admin;
  readonly kubeletFlags: readonly string[];
}

export class Node implements ClusterNode {
  readonly name = nodeName;
  readonly image = image;
  readonly containerRuntimeSocket: string;
  readonly #place: NodePlace;
  readonly #dir: string;
  readonly #cgroup: string;
  readonly #subnet: string;
  #scheduler: ServerProcess | undefined;
  #containers: Namespace | undefined;
  #kubelet: ServerProcess | undefined;
  #kubeletPlace: KubeletPlace | undefined;

  constructor(place: NodePlace) {
    this.#place = place;
    this.#dir = join(place.dir, 'node');
    this.containerRuntimeSocket = socketIn(this.#dir);
    this.#cgroup = basename(place.dir);
    this.#subnet = subnetOf(place.server);
  }

  #log(name: string): string {
    return join(this.#place.dir, 'logs', `${name}.log`);
  }

  async start(): Promise<void> {
    mkdirSync(this.#dir);
    watchCgroup(this.#cgroup);
    makeCgroup(this.#cgroup);
    // Both are awaited also when one fails: stop() must not overlook what is just being started.
    const started = await Promise.allSettled([this.#startScheduler(), this.#startContainers()]);
    for (const { reason } of started.filter(outcome => outcome.status === 'rejected')) throw reason;
    await onFreePort(port => this.#startFirstKubelet(port));
  }

  async #startScheduler(): Promise<void> {
    const { binaries, server, pki } = this.#place;
    const place = {
      dir: this.#dir,
      log: this.#log('kube-scheduler'),
      binary: binaries.scheduler,
      server,
      pki,
    };
    this.#scheduler = await onFreePort(port => startScheduler({ ...place, port }));
  }

  async #startContainers(): Promise<void> {
    const { binaries } = this.#place;
    const dir = this.#dir;
    const cniConfig = writeCni(dir, this.#subnet);
    const folders = { cni: binaries.cni, kubernetes: join(binaries.kubelet, '..') };
    this.#containers = await startContainerd({ dir, log: this.#log('containerd'), cniConfig, folders });
    await importBusybox(join(dir, 'image'), this.containerRuntimeSocket);
  }

  async #startFirstKubelet(port: number): Promise<void> {
    const { server, pki, admin, kubeletFlags: flags } = this.#place;
    const [dir, cgroup, namespace] = [this.#dir, this.#cgroup, this.#containers];
    if (namespace === undefined) throw new Error('containerd was not started');
    const binary = join(dir, 'kubernetes', 'kubelet');
    this.#kubeletPlace = {
      dir,
      log: this.#log('kubelet'),
      binary,
      server,
      port,
      pki,
      cgroup,
      namespace,
      admin,
      flags,
    };
    writeKubeletFiles(this.#kubeletPlace);
    await this.startKubelet();
  }

  async startKubelet(): Promise<void> {
    if (this.#kubelet?.isRunning) return;
    if (this.#kubeletPlace === undefined) throw new Error('the node was not started');
    this.#kubelet = await startKubelet(this.#kubeletPlace);
  }

  async stopKubelet(): Promise<void> {
    await this.#kubelet?.kill();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#scheduler?.kill(), this.#kubelet?.kill()]);
    await this.#containers?.first.kill();
    await removeCgroup(this.#cgroup);
    // The kernel takes a network namespace apart when it finds the time, and the links with it.
    await until('the links of the Pods to go', 20_000, async () => podLinks(this.#subnet).length === 0);
    forgetCgroup(this.#cgroup);
  }
}
