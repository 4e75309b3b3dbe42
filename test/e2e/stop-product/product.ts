// `npm run test:stop-product [-- N]`: `stop` in the full product of what running work can be like, N combinations side by side (default
// 324), each such batch stopped by one command and watched. Prints what ran, how long, what held and what cannot be; ends with 1 unless
// all held.
import { spawn } from 'node:child_process';
import { startControlPlane } from '../../cluster/control-plane.ts';
import { createNamespace, untilServiceAccount } from '../../cluster/state/namespaces.ts';
import { pluginIn } from '../../support/plugin.ts';
import { fullProduct, isPossible } from './combinations.ts';
import { appearedLines, brokenLines, impossibleLines, timesLine } from './report.ts';
import type { Ended } from './told.ts';
import { tryAll } from './try.ts';
import type { Verdict } from './verdict.ts';

const batchSize = Number(process.argv[2] ?? 324);
const say = (text: string) => process.stdout.write(`${text}\n`);

// the controllers' own limit of 20 requests a second would need minutes to start and follow so many at once
const plane = await startControlPlane({
  controllerManagerFlags: ['--kube-api-qps=500', '--kube-api-burst=1000', '--concurrent-job-syncs=20'],
});
process.on('SIGINT', () => process.exit(130));
const { admin } = plane;
const plugin = pluginIn(plane.dir, plane.kubectl);

function run(kubeconfig: string, words: string): Promise<Ended> {
  const env = { ...plugin, KUBECONFIG: kubeconfig };
  const child = spawn(plane.kubectl, ['jobctl', ...words.split(' ')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', chunk => {
    written.stdout += chunk;
  });
  child.stderr.on('data', chunk => {
    written.stderr += chunk;
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', code => done({ ...written, code }));
  });
}

async function aNamespace(name: string): Promise<string> {
  await createNamespace(admin, { name });
  await untilServiceAccount(admin, name);
  return name;
}

const all = fullProduct();
const possible = all.filter(isPossible);
const batches = Math.ceil(possible.length / batchSize);
const startedMs = Date.now();
const verdicts: Verdict[] = [];
let isWhole = true;
say(`Kubernetes ${plane.version}: ${possible.length} of ${all.length} combinations are possible`);
for (const line of impossibleLines()) say(`  ${line}`);
for (let batch = 0; batch < batches; batch += 1) {
  const tried = await tryAll(plane, await aNamespace(`product-${batch}`), {
    // every nth, so that each batch has some of each kind
    combinations: possible.filter((_, at) => at % batches === batch),
    leadMs: 75_000,
    flags: '--no-save',
    run,
  });
  say(timesLine(tried));
  for (const line of brokenLines(tried.verdicts)) say(`  DID NOT HOLD: ${line}`);
  if (!tried.inTime) say('  it took longer than the next run of the CronJobs was away');
  if (tried.told.code !== 0) say(tried.told.stderr);
  isWhole &&= tried.inTime && tried.told.code === 0;
  verdicts.push(...tried.verdicts);
  await admin.delete(`/api/v1/namespaces/product-${batch}`);
}
const held = verdicts.filter(({ broken }) => broken.length === 0).length;
say('');
for (const line of appearedLines(verdicts)) say(`appeared: ${line}`);
say(
  `${verdicts.length} combinations ran in ${Math.round((Date.now() - startedMs) / 1000)} s, ${held} held, ${all.length - possible.length} are impossible`,
);
await plane.stop();
process.exitCode = isWhole && held === possible.length && verdicts.length === possible.length ? 0 : 1;
