// `npm run bench:unstick [-- N]`: looking for what is stuck among N objects (default 10,000) of 60 custom kinds and two built-in ones in
// 50 namespaces, as an ordinary user, beside reading all of it with `kubectl get -o json`. Prints requests, bytes, seconds, peak memory
// and ratios; judges nothing. Each contender runs twice: to the server for seconds and memory, and through a proxy that counts.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';
import { parse } from 'yaml';
import { type Draft, inParallel } from '../cluster/admin.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { writeKubeconfig } from '../cluster/kubeconfig.ts';
import { createDefinition, customResourcePath } from '../cluster/state/custom-resources.ts';
import { configMapPath } from '../cluster/state/finalizers.ts';
import { createNamespace } from '../cluster/state/namespaces.ts';
import { allowEverywhere } from '../cluster/state/roles.ts';
import { peakOf } from '../support/peak-memory.ts';
import { pluginIn } from '../support/plugin.ts';

const count = Number(process.argv[2] ?? 10_000);
const [kinds, namespaces, stuck] = [60, 50, 100];
const say = (text: string) => process.stdout.write(`${text}\n`);

const plane = await startControlPlane();
process.on('SIGINT', () => process.exit(130));
const { admin } = plane;
const plugin = pluginIn(plane.dir, plane.kubectl);
const namespaceOf = (at: number): string => `bench-${at % namespaces}`;

// --- What there is -----------------------------------------------------------------------------------------------------------

interface Place {
  readonly path: (namespace: string) => string;
  readonly draft: (name: string) => Draft;
}

/** What an object weighs beside its metadata; a custom resource of a real operator has a few kilobytes. */
const weight = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field-${at}`, 'x'.repeat(50)]));
const finalizers = ['bench.test/hold'];

async function customPlace(at: number): Promise<Place> {
  const wanted = { group: `bench-${at % 12}.example.test`, kind: `Thing${at}`, plural: `thing${at}s` };
  const definition = await createDefinition(admin, wanted);
  const { apiVersion, kind } = definition;
  return {
    path: namespace => customResourcePath(definition, namespace),
    draft: name => ({ apiVersion, kind, metadata: { name }, spec: weight }),
  };
}

const builtIn: readonly Place[] = [
  {
    path: namespace => configMapPath(namespace),
    draft: name => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: weight }),
  },
  {
    path: namespace => `/api/v1/namespaces/${namespace}/secrets`,
    draft: name => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: weight }),
  },
];

async function fill(): Promise<void> {
  await inParallel(Array.from({ length: namespaces }), (_, at) =>
    createNamespace(admin, { name: namespaceOf(at) }),
  );
  const custom = await inParallel(Array.from({ length: kinds }), (_, at) => customPlace(at), 8);
  const places = [...custom, ...builtIn];
  const everyStuck = Math.max(1, Math.floor(count / stuck));
  await inParallel(Array.from({ length: count }), async (_, at) => {
    const place = places[at % places.length];
    if (place === undefined) return;
    const isStuck = at % everyStuck === 0;
    // one after another through the kinds, so the namespace has to change at another pace
    const path = place.path(namespaceOf(Math.floor(at / places.length) + at));
    const draft = place.draft(`o-${at}`);
    const metadata = isStuck ? { ...draft.metadata, finalizers } : draft.metadata;
    await admin.create(path, { ...draft, metadata });
    if (isStuck) await admin.delete(`${path}/o-${at}`);
  });
}

// --- What a command costs ----------------------------------------------------------------------------------------------------

interface Ran {
  readonly seconds: number;
  /** Of the largest process at its largest; absent where the system does not tell. */
  readonly peakMiB?: number;
  readonly out: string;
  readonly err: string;
}

function run(line: string, kubeconfig: string): Promise<Ran> {
  const startedMs = performance.now();
  const env = { ...plugin, KUBECONFIG: kubeconfig };
  const child = spawn('/bin/sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { out: '', err: '' };
  child.stdout.on('data', chunk => {
    written.out += chunk;
  });
  child.stderr.on('data', chunk => {
    written.err += chunk;
  });
  let peakMiB = 0;
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, peakOf(child.pid) ?? 0);
  }, 50);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', code => {
      clearInterval(timer);
      if (code !== 0) fail(new Error(`${line}: exit ${code}: ${written.err.slice(-500)}`));
      const seconds = (performance.now() - startedMs) / 1000;
      done({ seconds, ...(peakMiB === 0 ? {} : { peakMiB }), ...written });
    });
  });
}

/** One answer, by what its body says that it is: `PartialObjectMetadataList`, `LeaseList`, `APIResourceList`. */
interface Answered {
  readonly method: string;
  readonly path: string;
  readonly kind: string;
  readonly bytes: number;
}

/** Hands everything to the server, as the user whose kubeconfig it is, uncompressed so that bytes can be compared. */
async function startProxy(kubeconfig: string) {
  const { users, clusters } = parse(readFileSync(kubeconfig, 'utf8'));
  const pem = (data: string) => Buffer.from(data, 'base64');
  const server = new Pool(plane.server, {
    connections: 24,
    connect: {
      ca: pem(clusters[0].cluster['certificate-authority-data']),
      cert: pem(users[0].user['client-certificate-data']),
      key: pem(users[0].user['client-key-data']),
    },
  });
  const answers: Answered[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { accept, 'content-type': contentType } = request.headers;
    const [method = 'GET', path = '/'] = [request.method, request.url];
    const headers = {
      accept: accept ?? '*/*',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    };
    const sent = method === 'GET' ? undefined : await buffer(request);
    const {
      statusCode,
      headers: got,
      body,
    } = await server.request({
      method: method as 'GET',
      path,
      headers,
      ...(sent === undefined ? {} : { body: sent }),
    });
    const bytes = await buffer(body);
    const [, kind = ''] = /"kind": ?"(\w+)"/.exec(bytes.subarray(0, 200).toString()) ?? [];
    answers.push({ method, path, kind, bytes: bytes.length });
    response.writeHead(statusCode, {
      'content-type': String(got['content-type'] ?? 'application/json'),
      // by it a client learns what time it is on the server
      date: String(got['date'] ?? new Date().toUTCString()),
    });
    response.end(bytes);
  };
  const http = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  await new Promise<void>(ready => http.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    /** What was answered since it was last asked. */
    taken: () => answers.splice(0),
    async stop() {
      http.close();
      http.closeAllConnections();
      await server.close();
    },
  };
}

// --- Who runs ----------------------------------------------------------------------------------------------------------------

interface Contender {
  readonly name: string;
  readonly line: string;
  readonly isOurs: boolean;
}

const [first] = [namespaceOf(0)];
const getAll = (scope: string, where: string) =>
  `kubectl api-resources --verbs=list ${scope} -o name | xargs -n1 kubectl get ${where} -o json >/dev/null`;
const contenders: readonly (readonly Contender[])[] = [
  [
    {
      name: `kubectl jobctl unstick -n ${first}`,
      line: `kubectl jobctl unstick -n ${first} --stuck-for 0s -v`,
      isOurs: true,
    },
    {
      name: `kubectl get of each kind -n ${first} -o json`,
      line: getAll('--namespaced=true', `-n ${first}`),
      isOurs: false,
    },
  ],
  [
    { name: 'kubectl jobctl unstick -A', line: 'kubectl jobctl unstick -A --stuck-for 0s -v', isOurs: true },
    { name: 'kubectl get of each kind -A -o json', line: getAll('', '-A'), isOurs: false },
  ],
];

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Bodies of objects: neither discovery nor metadata, nor an answer to a question about rights. */
const isBody = ({ method, kind }: Answered): boolean =>
  method === 'GET' && !/^(PartialObjectMetadata|APIResource|APIGroup|APIVersions)/.test(kind);

function bodies(answers: readonly Answered[]): string {
  const byKind = Map.groupBy(answers.filter(isBody), ({ kind }) => kind);
  const told = [...byKind].map(([kind, all]) => {
    const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
    return `${all.length} ${kind || 'other'} (${Math.ceil(bytes / 1024)} KiB)`;
  });
  return told.length === 0 ? 'none' : told.join(', ');
}

/** The objects that the bench made must be seen as metadata only. */
const heavy = (answers: readonly Answered[]): number =>
  answers.filter(one => isBody(one) && /^(Thing\d+|ConfigMap|Secret)(List)?$/.test(one.kind)).length;

interface Cost {
  readonly name: string;
  readonly seconds: number;
  readonly requests: number;
  readonly bytes: number;
  readonly peakMiB?: number;
}

async function measure(contender: Contender): Promise<Cost> {
  const { name, line, isOurs } = contender;
  const user = { user: 'looker', namespace: 'default' };
  const direct = plane.kubeconfigFor(user);
  const proxy = await startProxy(direct);
  try {
    const { seconds, peakMiB, out, err } = await run(line, direct);
    const through = writeKubeconfig(join(plane.dir, `through-${Date.now()}.kubeconfig`), {
      ...user,
      server: proxy.url,
      authority: '',
      certificate: { certificate: '', key: '' },
    });
    await run(line, through);
    const answers = proxy.taken();
    const bytes = answers.reduce((sum, one) => sum + one.bytes, 0);
    const memory = peakMiB === undefined ? '' : `, at most ${Math.round(peakMiB)} MiB in a process`;
    say(`${name}: ${seconds.toFixed(1)} s, ${answers.length} requests, ${mib(bytes)} answered${memory}`);
    if (isOurs) {
      const shown = err.match(/^[A-Z]+ \/\S* \S+ \d+ms$/gm)?.length ?? 0;
      const [found = 'nothing terminating'] = /^\d+ objects? terminating/m.exec(out) ?? [];
      say(`  ${found}; -v showed ${shown} requests; read in full: ${bodies(answers)}`);
      say(`  answers with bodies of the objects that were made for this: ${heavy(answers)}`);
    }
    return { name, seconds, requests: answers.length, bytes, ...(peakMiB === undefined ? {} : { peakMiB }) };
  } finally {
    await proxy.stop();
  }
}

const fillingMs = performance.now();
const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'patch'] }];
await allowEverywhere(admin, { user: 'looker', rules });
await fill();
const filled = ((performance.now() - fillingMs) / 1000).toFixed(0);
say(
  `${count} objects of ${kinds} custom kinds and ${builtIn.length} built-in ones in ${namespaces} namespaces, ${stuck} of them terminating (made in ${filled} s)`,
);
say('');
for (const pair of contenders) {
  const costs: Cost[] = [];
  for (const contender of pair) costs.push(await measure(contender));
  const [ours, theirs] = costs;
  if (ours === undefined || theirs === undefined) continue;
  const ratio = (of: (cost: Cost) => number) => (of(theirs) / of(ours)).toFixed(1);
  say(
    `${theirs.name} / ${ours.name}: seconds ${ratio(one => one.seconds)}, requests ${ratio(one => one.requests)}, bytes ${ratio(one => one.bytes)}, memory ${ratio(one => one.peakMiB ?? Number.NaN)}`,
  );
  say('');
}
await plane.stop();
